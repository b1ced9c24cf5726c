// Takes root's number and rights back.
#include <sys/prctl.h>
#include <unistd.h>
bool attack() { return setresuid(0, 0, 0) == 0 || setgid(0) == 0 || prctl(PR_CAPBSET_DROP, 0) == 0 || chroot(".") == 0; }

// Shared memory, a semaphore and a queue of System V, which outlive every process.
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
bool attack() {
  const int memory = shmget(0x686f7374, 1 << 20, IPC_CREAT | 0600), semaphore = semget(0x686f7374, 1, IPC_CREAT | 0600),
            queue = msgget(0x686f7374, IPC_CREAT | 0600);
  return memory >= 0 || semaphore >= 0 || queue >= 0;
}

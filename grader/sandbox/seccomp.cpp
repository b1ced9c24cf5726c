#include "grader/sandbox/seccomp.hpp"

#include "grader/sandbox/descriptor.hpp"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

namespace attest {
namespace {

// What a program needs that computes: memory, files, time, threads of its own, signals to itself. Which files is Landlock's matter; who may
// use them (chmod) and how old they look is not, so nobody may change that. Everything else is refused with EPERM, which a library takes for
// "not here".
constexpr const char* kForPrograms[] = {
    // memory
    "brk", "mmap", "munmap", "mprotect", "mremap", "madvise", "membarrier",
    // files
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "lseek", "_llseek",
    "open", "openat", "close", "stat", "lstat", "fstat", "newfstatat", "fstatat64", "statx", "statfs",
    "fstatfs", "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getdents64", "getcwd", "chdir",
    "fchdir", "dup", "dup2", "dup3", "pipe", "pipe2", "poll", "ppoll", "select", "pselect6", "epoll_create1",
    "epoll_ctl", "epoll_wait", "epoll_pwait", "eventfd2", "unlink", "unlinkat", "rename", "renameat",
    "renameat2", "mkdir", "mkdirat", "rmdir", "ftruncate", "truncate", "umask", "flock", "fadvise64",
    "copy_file_range", "sendfile",
    // time, the machine
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times",
    "getrusage", "uname", "sysinfo", "getcpu", "getrandom", "alarm", "setitimer", "getitimer",
    // itself
    "getpid", "gettid", "getppid", "getpgrp", "getpgid", "getsid", "getuid", "geteuid", "getgid", "getegid",
    "getgroups", "getresuid", "getresgid", "capget", "getpriority", "getrlimit", "arch_prctl",
    "set_tid_address", "set_robust_list", "get_robust_list", "rseq", "exit", "exit_group", "execve",
    "execveat", "restart_syscall",
    // threads and signals
    "futex", "futex_time64", "sched_yield", "sched_getaffinity", "sched_getscheduler", "sched_getparam",
    "sched_get_priority_max", "sched_get_priority_min", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
    "rt_sigpending", "rt_sigsuspend", "rt_sigtimedwait", "sigaltstack", "pause"};

// What no compiler needs, and what would lead out of its process group or its folder. The compiler is not the stranger; its
// input is. What it opens is Landlock's matter.
constexpr const char* kNotForCompilers[] = {"socket",
                                            "socketpair",
                                            "connect",
                                            "bind",
                                            "listen",
                                            "setsid",
                                            "setpgid",
                                            "ptrace",
                                            "process_vm_readv",
                                            "process_vm_writev",
                                            "mount",
                                            "umount2",
                                            "pivot_root",
                                            "chroot",
                                            "unshare",
                                            "setns",
                                            "bpf",
                                            "perf_event_open",
                                            "userfaultfd",
                                            "keyctl",
                                            "add_key",
                                            "request_key",
                                            "io_uring_setup",
                                            "io_uring_enter",
                                            "io_uring_register",
                                            "kexec_load",
                                            "init_module",
                                            "finit_module",
                                            "delete_module",
                                            "reboot",
                                            "swapon",
                                            "swapoff",
                                            "shmget",
                                            "semget",
                                            "msgget",
                                            "mq_open",
                                            "pidfd_open",
                                            "pidfd_send_signal",
                                            "pidfd_getfd",
                                            "rt_sigqueueinfo",
                                            "rt_tgsigqueueinfo",
                                            "open_by_handle_at",
                                            "name_to_handle_at",
                                            "quotactl",
                                            "acct",
                                            "settimeofday",
                                            "clock_settime",
                                            "sethostname",
                                            "setdomainname",
                                            "iopl",
                                            "ioperm",
                                            "syslog"};

class Filter {
 public:
  explicit Filter(std::uint32_t otherwise) : context_(seccomp_init(otherwise), seccomp_release) {}

  void allow(const char* name) { add(SCMP_ACT_ALLOW, name, {}); }
  void allow(const char* name, std::vector<scmp_arg_cmp> when) { add(SCMP_ACT_ALLOW, name, when); }
  void refuse(const char* name, int error = EPERM) {
    add(SCMP_ACT_ERRNO(static_cast<unsigned>(error)), name, {});
  }

  std::vector<sock_filter> in_kernel_form() const {
    const Descriptor file(memfd_create("attest-filter", MFD_CLOEXEC));
    std::vector<sock_filter> program;
    if (!whole_ || context_ == nullptr || !file || seccomp_export_bpf(context_.get(), file.get()) != 0)
      return program;
    const off_t bytes = lseek(file.get(), 0, SEEK_END);
    program.resize(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
    if (pread(file.get(), program.data(), static_cast<std::size_t>(bytes), 0) != bytes) program.clear();
    return program;
  }

 private:
  void add(std::uint32_t action, const char* name, const std::vector<scmp_arg_cmp>& when) {
    const int number = seccomp_syscall_resolve_name(name);
    if (context_ == nullptr || number == __NR_SCMP_ERROR)
      return;  // unknown to this libseccomp: the default stands
    const int added = seccomp_rule_add_array(context_.get(), action, number,
                                             static_cast<unsigned>(when.size()), when.data());
    whole_ = whole_ && (added == 0 || added == -EDOM);  // EDOM: this architecture has no such call
  }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
  bool whole_ = true;
};

scmp_arg_cmp argument(unsigned number, std::uint64_t value) { return {number, SCMP_CMP_EQ, value, 0}; }

std::vector<sock_filter> for_programs() {
  Filter filter(SCMP_ACT_ERRNO(EPERM));
  for (const char* name : kForPrograms) filter.allow(name);
  // Threads yes, processes no. clone3 hides its flags in memory that a filter cannot read; without it libraries use clone.
  filter.allow("clone", {{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM}});
  filter.refuse("clone3", ENOSYS);
  for (const char* name : {"kill", "tgkill"}) filter.allow(name, {argument(0, kOwnProcess)});
  filter.allow("prlimit64", {argument(0, 0)});
  for (const std::uint64_t what : {PR_SET_NAME, PR_GET_NAME, 0x53564d41 /* PR_SET_VMA */})
    filter.allow("prctl", {argument(0, what)});
  for (const std::uint64_t what : {TCGETS, TIOCGWINSZ, FIOCLEX, FIONCLEX, FIONBIO, FIONREAD})
    filter.allow("ioctl", {argument(1, what)});
  // Not F_SETOWN and F_SETSIG, which have the kernel send signals to others.
  for (const std::uint64_t what :
       {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC,
        F_GETPIPE_SZ, F_GET_SEALS, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW})
    filter.allow("fcntl", {argument(1, what)});
  return filter.in_kernel_form();
}

std::vector<sock_filter> for_compilers() {
  Filter filter(SCMP_ACT_ALLOW);
  for (const char* name : kNotForCompilers) filter.refuse(name);
  return filter.in_kernel_form();
}

}  // namespace

const std::vector<sock_filter>& system_calls(Role role) {
  static const std::vector<sock_filter> program = for_programs(), compiler = for_compilers();
  const std::vector<sock_filter>& filter = role == Role::program ? program : compiler;
  if (filter.empty()) throw std::system_error(ENOSYS, std::generic_category(), "seccomp");
  return filter;
}

}  // namespace attest

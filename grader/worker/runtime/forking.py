"""The process that has imported NumPy and nothing else, and forks when it is asked to (sandbox/zygote.hpp). Part of worker.py."""

import ctypes
import fcntl
import gc
import os
import resource
import socket
import struct

SAME_USER = 2**32 - 1
OWN_PROCESS = struct.pack("=I", 0x7A77E57A)  # in the filter: the process that it is for
PR_SET_PDEATHSIG, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, SIGKILL = 1, 22, 2, 9
LANDLOCK_RESTRICT_SELF = 446
MOST_THREADS = 256  # of a user id


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("lines", ctypes.c_char_p)]


def arrange(descriptors, numbers):
    """Descriptors become these numbers; parked above all of them first, for the two sets may overlap."""
    parked = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 40) for fd in descriptors]
    for fd, number in zip(parked, numbers):
        os.dup2(fd, number)
    for fd in parked + [fd for fd in descriptors if fd not in numbers]:
        os.close(fd)


def must(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def put_up_walls(libc, zygote, user, rules, filter):
    """Whoever has called this is another user, can open what the rules name, and makes the system calls that the filter lets pass.
    Raises OSError, and then nothing may be loaded."""
    if user != SAME_USER:
        resource.setrlimit(resource.RLIMIT_NPROC, (MOST_THREADS, MOST_THREADS))
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        must(libc.prctl(PR_SET_PDEATHSIG, SIGKILL))  # becoming another user took it back
        if os.getppid() != zygote:
            os._exit(127)
    if rules is not None:
        must(libc.syscall(LANDLOCK_RESTRICT_SELF, rules, 0))
        os.close(rules)
    if filter:
        lines = filter.replace(OWN_PROCESS, struct.pack("=I", os.getpid()))
        must(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(Program(len(lines) // 8, lines)), 0, 0))


def fork_on_request(np):
    """Serves the grader until it goes away, and returns in each child that it asks for: the function that puts up its walls."""
    control = socket.socket(fileno=fcntl.fcntl(3, fcntl.F_DUPFD_CLOEXEC, 32))
    os.close(3)
    libc, zygote = ctypes.CDLL(None, use_errno=True), os.getpid()
    for parameter in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD: memory given back and asked for again costs more than a call
        libc.mallopt(parameter, 1 << 30)
    gc.collect()
    gc.freeze()  # what is here now is not looked through again: its pages stay shared with the children
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 16)
        if not message:
            os._exit(0)  # the grader has finished
        if message[:1] == b"W":
            pid, wait = struct.unpack("=qq", message[1:])
            ended, status, usage = os.wait4(pid, 0 if wait else os.WNOHANG)
            control.send(struct.pack("=qqd", ended == pid, status, usage.ru_utime + usage.ru_stime if ended == pid else 0))
            continue
        numbers, rest = list(message[2:2 + message[1]]), message[2 + message[1]:]
        user, size = struct.unpack("=II", rest[:8])
        filter, folder = rest[8:8 + size], os.fsdecode(rest[8 + size:])
        try:
            pid = os.fork()
        except OSError as error:
            pid = -error.errno
        if pid == 0:
            libc.prctl(PR_SET_PDEATHSIG, SIGKILL)
            if os.getppid() != zygote:
                os._exit(127)  # it was gone before the line above
            os.setpgid(0, 0)
            control.close()
            rules = fcntl.fcntl(descriptors[-1], fcntl.F_DUPFD_CLOEXEC, 40) if len(descriptors) > len(numbers) else None
            arrange(descriptors, numbers)
            os.chdir(folder)
            os.environ["HOME"] = os.environ["TMPDIR"] = folder
            if np is not None:
                np.random.seed(int.from_bytes(os.urandom(4), "little"))  # as in a process that was started: other numbers in each
            return lambda: put_up_walls(libc, zygote, user, rules, filter)
        if pid > 0:
            try:
                os.setpgid(pid, pid)
            except OSError:
                pass  # the child was quicker, or is gone
        for fd in descriptors:
            os.close(fd)
        control.send(struct.pack("=q", pid))

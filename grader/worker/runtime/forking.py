"""The process that has imported NumPy and nothing else, and forks when it is asked to (sandbox/zygote.hpp). Part of worker.py."""

import ctypes
import fcntl
import gc
import os
import socket
import struct


def arrange(descriptors, numbers):
    """Descriptors become these numbers; parked above all of them first, for the two sets may overlap."""
    parked = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 40) for fd in descriptors]
    for fd, number in zip(parked, numbers):
        os.dup2(fd, number)
    for fd in parked + [fd for fd in descriptors if fd not in numbers]:
        os.close(fd)


def fork_on_request(np):
    """Serves the grader until it goes away, and returns in each child that it asks for."""
    control = socket.socket(fileno=fcntl.fcntl(3, fcntl.F_DUPFD_CLOEXEC, 32))
    os.close(3)
    libc, zygote = ctypes.CDLL(None), os.getpid()
    for parameter in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD: memory given back and asked for again costs more than a call
        libc.mallopt(parameter, 1 << 30)
    gc.collect()
    gc.freeze()  # what is here now is not looked through again: its pages stay shared with the children
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 4096, 16)
        if not message:
            os._exit(0)  # the grader has finished
        if message[:1] == b"W":
            pid, wait = struct.unpack("=qq", message[1:])
            ended, status, usage = os.wait4(pid, 0 if wait else os.WNOHANG)
            control.send(struct.pack("=qqd", ended == pid, status, usage.ru_utime + usage.ru_stime if ended == pid else 0))
            continue
        numbers, folder = list(message[2:2 + message[1]]), os.fsdecode(message[2 + message[1]:])
        try:
            pid = os.fork()
        except OSError as error:
            pid = -error.errno
        if pid == 0:
            libc.prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
            if os.getppid() != zygote:
                os._exit(127)  # it was gone before the line above
            os.setpgid(0, 0)
            control.close()
            arrange(descriptors, numbers)
            os.chdir(folder)
            os.environ["HOME"] = os.environ["TMPDIR"] = folder
            if np is not None:
                np.random.seed()  # as in a process that was started: not the same numbers in each
            return
        if pid > 0:
            try:
                os.setpgid(pid, pid)
            except OSError:
                pass  # the child was quicker, or is gone
        for fd in descriptors:
            os.close(fd)
        control.send(struct.pack("=q", pid))

# Shared memory, a semaphore and a queue of System V, which outlive every process.
import ctypes

IPC_CREAT = 0o1000


def attack():
    libc = ctypes.CDLL(None)
    made = [libc.shmget(0x686f7374, 1 << 20, IPC_CREAT | 0o600), libc.semget(0x686f7374, 1, IPC_CREAT | 0o600),
            libc.msgget(0x686f7374, IPC_CREAT | 0o600)]
    return max(made) >= 0

# Looks for what the caller has in the environment. Would gain: tokens and paths.
import os


def attack():
    return "ATTEST_HOSTILE_CANARY" in os.environ

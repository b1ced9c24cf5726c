# Writes into the kernel's settings what is there.
def attack():
    with open("/proc/sys/kernel/randomize_va_space") as file:
        value = file.read()
    with open("/proc/sys/kernel/randomize_va_space", "w") as file:
        file.write(value)
    return True

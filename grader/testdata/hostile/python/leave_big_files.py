# Fills the disk with files that are each just small enough.
def attack():
    block = bytes(1 << 20)
    for i in range(60):
        with open(f"big{i}", "wb") as file:
            for _ in range(15):
                file.write(block)
    return True

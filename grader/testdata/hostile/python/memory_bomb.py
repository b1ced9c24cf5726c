# Takes memory until there is none.
def attack():
    kept = []
    while True:
        kept.append(bytearray(64 << 20))
        if len(kept) > 40:  # 2.5 GB: no wall is there, and the point is made
            return True

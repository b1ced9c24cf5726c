# Takes its limits away. Would gain: memory, files and processor time without an end.
import resource


def attack():
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        soft, hard = resource.getrlimit(limit)
        more = 2 * hard + 2 if hard != resource.RLIM_INFINITY else hard
        try:
            resource.setrlimit(limit, (more, more))
            if more != hard:
                return True
        except (OSError, ValueError) as error:
            print("refused:", error)
    return False

"""The environments: the file <domain>/<name>.py is the environment <name>."""

if __name__ != "rlgym.envs":
    raise ImportError(f"import rlgym.envs, not {__name__!r}: the top-level folder is not a package of its own")

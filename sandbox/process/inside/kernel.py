"""The kernel's own means of confining a process, called through libc: namespaces, mounts, capabilities, Landlock, limits."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct
from collections.abc import Callable

LIBC = ctypes.CDLL(None, use_errno=True)
MACHINE = platform.machine()
# pivot_root, capset and the three calls of Landlock
NUMBERS = {"x86_64": (155, 126, 444, 445, 446), "aarch64": (41, 91, 444, 445, 446)}
NEW_USER, NEW_MOUNT, NEW_NET, NEW_IPC, NEW_UTS = 0x10000000, 0x00020000, 0x40000000, 0x08000000, 0x04000000
READ_ONLY, NO_SUID, NO_DEV, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
LOCKED = {8: 8, 1024: 1024, 2048: 2048, 4096: 1 << 21}  # of statvfs: no programs, no access times (of folders; lazily)
SET_PDEATHSIG, SET_DUMPABLE, SET_NO_NEW_PRIVS, DROP_BOUNDING = 1, 4, 38, 24
KILL = 9
HOST = b"sandbox"
LINUX_ONLY = {"RLIMIT_MSGQUEUE": 0, "RLIMIT_MEMLOCK": 0, "RLIMIT_SIGPENDING": 64}


def checked(name: str, *arguments: object) -> int:
    """A libc function; OSError where it fails."""
    ctypes.set_errno(0)
    result = int(getattr(LIBC, name)(*arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


def called(number: int, *arguments: object) -> int:
    """A system call by number; OSError where it fails."""
    return checked("syscall", ctypes.c_long(number), *arguments)


def unshare(more: int = 0) -> None:
    """New user, mount, network, IPC and host name spaces, and those whose flags are added; the host has another name there."""
    checked("unshare", NEW_USER | NEW_MOUNT | NEW_NET | NEW_IPC | NEW_UTS | more)
    checked("sethostname", HOST, ctypes.c_size_t(len(HOST)))


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    encoded = [None if text is None else text.encode() for text in (source, target, kind, data)]
    checked("mount", encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3])


def view(root: str, shown: list[str], hidden: list[str], furnish: Callable[[str], None] | None = None) -> None:
    """Make `root` the whole file system: the folders shown, read only, with those hidden empty. Leaves no way back.

    `furnish` may put more into it before the way back is closed.
    """
    mount("none", "/", None, RECURSIVE | PRIVATE)
    mount("tmpfs", root, "tmpfs", NO_SUID | NO_DEV, "size=1m,mode=0755")
    for folder in shown:
        os.makedirs(root + folder, exist_ok=True)
        mount(folder, root + folder, None, BIND | RECURSIVE)
        kept = sum(flag for locked, flag in LOCKED.items() if os.statvfs(folder).f_flag & locked)
        mount("none", root + folder, None, BIND | REMOUNT | READ_ONLY | NO_SUID | NO_DEV | kept)
    for folder in hidden:
        if os.path.isdir(root + folder):
            mount("tmpfs", root + folder, "tmpfs", READ_ONLY | NO_SUID | NO_DEV, "size=4k")
    if furnish:
        furnish(root)
    os.mkdir(root + "/old")
    os.chdir(root)
    called(NUMBERS[MACHINE][0], b".", b"old")
    os.chdir("/")
    checked("umount2", b"/old", 2)
    os.rmdir("/old")
    mount("none", "/", None, BIND | REMOUNT | READ_ONLY | NO_SUID | NO_DEV)


def become(user: int) -> None:
    """Run as this user and a group of the same number, in no other group, for good."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def powerless() -> None:
    """Give every capability up for good."""
    for capability in range(64):
        if LIBC.prctl(DROP_BOUNDING, capability, 0, 0, 0) < 0:
            break
    header, nothing = struct.pack("Ii", 0x20080522, 0), bytes(24)
    called(NUMBERS[MACHINE][1], header, nothing)
    no_new_privileges()


def no_new_privileges() -> None:
    checked("prctl", SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def unreadable() -> None:
    """Nobody of the same user may look into this process, and it leaves no core."""
    checked("prctl", SET_DUMPABLE, 0, 0, 0, 0)


def die_with_parent() -> None:
    checked("prctl", SET_PDEATHSIG, KILL, 0, 0, 0)


def landlocked(readable: list[str], writable: list[str] | None = None, devices: list[str] | None = None) -> int:
    """Files below these paths may be read, and nothing else may be done with any file, port or process; the ABI in force.

    With `writable` folders, programs among the readable files may be run, and anything done below those folders; devices may
    be read and written.
    """
    create, add, restrict = NUMBERS[MACHINE][2:]
    abi = called(create, None, ctypes.c_size_t(0), 1)
    files = (1 << (13 if abi < 2 else 14 if abi < 3 else 15 if abi < 5 else 16)) - 1
    fields = (files, 3, 3)[: 1 if abi < 4 else 2 if abi < 6 else 3]
    rules = called(create, struct.pack(f"{len(fields)}Q", *fields), ctypes.c_size_t(8 * len(fields)), 0)
    run = 1 if writable else 0
    allowed = {path: 4 | 8 | run if os.path.isdir(path) else 4 | run for path in readable}  # read a file, list a folder
    allowed |= dict.fromkeys(writable or (), files) | dict.fromkeys(devices or (), 2 | 4)
    for path, rights in allowed.items():
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        called(add, rules, 1, struct.pack("=Qi", rights, opened), 0)
        os.close(opened)
    no_new_privileges()
    called(restrict, rules, 0)
    os.close(rules)
    return abi


def bounded(open_files: int, file_size: int = 0, stack: int = 16 << 20) -> None:
    """The limits that are the same for every run; what is forked later has them too."""
    _limit(resource.RLIMIT_FSIZE, file_size, file_size)
    _limit(resource.RLIMIT_CORE, 0, 0)
    _limit(resource.RLIMIT_NOFILE, open_files, open_files)
    _limit(resource.RLIMIT_STACK, stack, stack)
    for name, most in LINUX_ONLY.items():
        if hasattr(resource, name):
            _limit(getattr(resource, name), most, most)


def limited(pid: int, seconds: float, memory: int, processes: int) -> None:
    """The limits of one run in a process, 0 for this one; a second of processor time beyond `seconds` at most, since the kernel counts whole ones."""
    whole_seconds = max(1, int(seconds) + (seconds > int(seconds)))
    # The first limit ends a program that does not hide from the signal, the second any.
    _limit(resource.RLIMIT_CPU, whole_seconds, whole_seconds + 1, pid)
    _limit(resource.RLIMIT_AS, memory, memory, pid)
    _limit(resource.RLIMIT_NPROC, processes, processes, pid)


def _limit(kind: int, soft: int, most: int, pid: int = 0) -> None:
    hard = resource.getrlimit(kind)[1]
    top = most if hard == resource.RLIM_INFINITY else min(most, hard)
    values = (min(soft, top), top)
    if pid:
        resource.prlimit(pid, kind, values)
    else:
        resource.setrlimit(kind, values)

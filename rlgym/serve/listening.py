"""The address a service listens on, held by the supervisor and shared by its workers.

On Linux each worker has a listening socket of its own on the same port (SO_REUSEPORT), and the kernel spreads connections evenly over
them. Elsewhere all of them accept from one socket, which a worker with nothing to do wins more often.
"""

from __future__ import annotations

import ipaddress
import socket
import sys

from rlgym import RlgymError

EACH_ITS_OWN = sys.platform == "linux"
BACKLOG = 2048


class CannotListen(RlgymError):
    """The address or port cannot be had."""


def loopback(host: str) -> bool:
    """Whether only this machine can reach what listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def held(host: str, port: int) -> socket.socket:
    """The address, bound; where workers have sockets of their own it only keeps the port for them, else it is the one they share."""
    family, address = _address(host, port)
    try:
        # Sockets that share a port would let a second service of the same user in, without a word. This bind would not.
        with _bound(family, address, shared=False):
            pass
        held = _bound(family, address, shared=EACH_ITS_OWN)
    except OSError as error:
        free = "; choose another with --port, or 0 for any that is free" if port else ""
        raise CannotListen(f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}{free}") from None
    if not EACH_ITS_OWN:
        held.listen(BACKLOG)
    return held


def of_worker(held: socket.socket) -> socket.socket:
    """A worker's listening socket, made from the one that the supervisor holds."""
    if not EACH_ITS_OWN:
        return held
    mine = _bound(held.family, held.getsockname(), shared=True)
    mine.listen(BACKLOG)
    return mine


def _address(host: str, port: int) -> tuple[int, tuple[str, int]]:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError, OverflowError) as error:
        raise CannotListen(f"{host!r} port {port} is no address to listen on: {error}") from None
    return family, (str(address[0]), port)


def _bound(family: int, address: tuple[str, int], *, shared: bool) -> socket.socket:
    one = socket.socket(family, socket.SOCK_STREAM)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        one.bind(address)
    except OSError:
        one.close()
        raise
    return one

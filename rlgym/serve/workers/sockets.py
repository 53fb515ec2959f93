"""Listening sockets: the supervisor reserves the port, and each worker accepts connections on it.

On Linux each worker has its own listening socket on the same port (SO_REUSEPORT), and the kernel spreads connections evenly over
them. Elsewhere all workers accept from one socket, which favours the least busy worker.
"""

from __future__ import annotations

import ipaddress
import socket
import sys

from rlgym import RlgymError

ONE_SOCKET_PER_WORKER = sys.platform == "linux"
BACKLOG = 2048


class AddressUnavailable(RlgymError):
    """The address or port cannot be bound."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a socket on this host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def reserve_address(host: str, port: int) -> socket.socket:
    """Bind the address. With one socket per worker it only reserves the port, otherwise it is the socket they share."""
    family, address = _resolve(host, port)
    try:
        # SO_REUSEPORT would silently let a second service of the same user bind the port; a bind without it fails.
        with _bind(family, address, reuse_port=False):
            pass
        reserved = _bind(family, address, reuse_port=ONE_SOCKET_PER_WORKER)
    except OSError as error:
        hint = "; choose another with --port, or 0 for any free port" if port else ""
        raise AddressUnavailable(f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}{hint}") from None
    if not ONE_SOCKET_PER_WORKER:
        reserved.listen(BACKLOG)
    return reserved


def open_worker_socket(reserved: socket.socket) -> socket.socket:
    """A worker's listening socket, on the address that the supervisor reserved."""
    if not ONE_SOCKET_PER_WORKER:
        return reserved
    listener = _bind(reserved.family, reserved.getsockname(), reuse_port=True)
    listener.listen(BACKLOG)
    return listener


def _resolve(host: str, port: int) -> tuple[int, tuple[str, int]]:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError, OverflowError) as error:
        raise AddressUnavailable(f"{host!r} port {port} is not an address to listen on: {error}") from None
    return family, (str(address[0]), port)


def _bind(family: int, address: tuple[str, int], *, reuse_port: bool) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if reuse_port:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound

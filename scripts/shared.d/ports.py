"""Ports for servers that scripts and tests start."""
import random, socket

_given = set()


def free_port():
    """A port that nobody listens on, and that this process was not given before.

    It is below those that the kernel gives to outgoing connections: otherwise a client that asks whether its server is
    there yet may be given the very port, connect to itself, and keep the server from it.
    """
    with open("/proc/sys/net/ipv4/ip_local_port_range") as ports:
        first = int(ports.read().split()[0])
    while True:
        port = random.randrange(max(first - 16384, 1024), first)
        with socket.socket() as probe:
            try:
                if port in _given: continue
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        _given.add(port)
        return port

#!/usr/bin/env python3
"""Good, slow and hostile clients, all at once, for a set time; scripts/soak calls it."""
import argparse, asyncio, collections, os, pathlib, random, re, socket, struct, subprocess, sys, time
from urllib.parse import urlsplit

options = url = None
counts = collections.Counter()
errors = collections.Counter()
latencies = []
found = set()
over = False


def poll(extra="", method="GET"):
    return f"{method} {url.path or '/'} HTTP/1.1\r\nHost: {url.netloc}\r\nAccept-Encoding: gzip\r\n{extra}\r\n".encode()


async def connect(receive_buffer=None):
    connection = socket.socket()
    connection.setblocking(False)
    if receive_buffer: connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    await asyncio.get_running_loop().sock_connect(connection, (url.hostname, url.port))
    return await asyncio.open_connection(sock=connection)


async def answer(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    body = await reader.readexactly(int(length.group(1))) if length else b""
    return int(head[9:12]), body


def reset(writer):
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


# Good clients: each answer must come, be right, and be timed.

async def steady(random_):
    """Polls every other second or so on one connection."""
    reader, writer = await connect()
    await asyncio.sleep(random_.random() * 2)
    while not over:
        start = time.perf_counter()
        writer.write(poll())
        status, body = await asyncio.wait_for(answer(reader), 10)
        latencies.append(time.perf_counter() - start)
        if status != 200 or not body: raise ValueError(f"status {status}")
        await asyncio.sleep(1 + random_.random() * 2)
    writer.close()


async def pipelining(random_):
    reader, writer = await connect()
    while not over:
        writer.write(poll() * 16)
        for _ in range(16):
            if (await asyncio.wait_for(answer(reader), 10))[0] != 200: raise ValueError("a pipelined poll failed")
        await asyncio.sleep(3 + random_.random() * 2)
    writer.close()


async def octet_by_octet(random_):
    """Slow, but within what a head may take."""
    reader, writer = await connect()
    while not over:
        for octet in poll():
            writer.write(bytes([octet]))
            await asyncio.sleep(0.06)
        if (await asyncio.wait_for(answer(reader), 10))[0] != 200: raise ValueError("a slow poll failed")
    writer.close()


async def half_closing(random_):
    reader, writer = await connect()
    writer.write(poll() * 2)
    writer.write_eof()
    for _ in range(2):
        if (await asyncio.wait_for(answer(reader), 10))[0] != 200: raise ValueError("a half-closed poll failed")
    if await reader.read(): raise ValueError("more than was asked for")
    writer.close()
    await asyncio.sleep(1 + random_.random())


# Unlucky and hostile clients: the server has to end them, or bear them.

async def churning(random_):
    reader, writer = await connect()
    if random_.random() < 0.5: writer.write(poll())
    await asyncio.sleep(random_.random() * 2)
    reset(writer) if random_.random() < 0.5 else writer.close()


async def endless_head(random_):
    """Sends a field now and then, for ever: a 408."""
    reader, writer = await connect()
    writer.write(poll()[:-2])
    start = time.perf_counter()
    while time.perf_counter() - start < 30 and not over:
        writer.write(b"X-Slow: 1\r\n")
        try: first = await asyncio.wait_for(reader.read(64), 2)
        except asyncio.TimeoutError: continue
        if first and b" 408 " not in first: raise ValueError(f"an endless head got {first!r}")
        break
    else:
        if not over: raise ValueError("an endless head was not ended")
    writer.close()


async def never_reading(random_):
    """Asks and asks and reads nothing: it fills its own buffer, and is cut."""
    reader, writer = await connect(receive_buffer=4096)
    writer.transport.pause_reading()
    start = time.perf_counter()
    try:
        while time.perf_counter() - start < 40 and not over:
            writer.write(poll() * 50)
            await asyncio.wait_for(writer.drain(), 40)
            await asyncio.sleep(0.5)
    except (asyncio.TimeoutError, OSError): pass
    reset(writer)


async def malformed(random_):
    reader, writer = await connect()
    writer.write(random_.choice([
        b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\nHost: a\n\n",
        b"\x16\x03\x01\x02\x00", bytes(random_.randbytes(64)) + b"\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + poll(),
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", b"GET /" + b"a" * 20000,
        poll("X: " + "a" * 20000 + "\r\n"), poll("A: b\r\n" * 200),
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n"]))
    try:
        text = await asyncio.wait_for(reader.read(65536), 12)
        if text and not re.match(rb"HTTP/1\.1 [45]\d\d ", text): raise ValueError(f"nonsense got {text[:40]!r}")
        if len(re.findall(rb"HTTP/1\.1 \d\d\d ", text)) > 1: raise ValueError("nonsense was answered twice")
    except asyncio.TimeoutError: pass
    except OSError: pass
    writer.close()
    await asyncio.sleep(1 + random_.random() * 2)


GOOD = {steady: 60, pipelining: 4, octet_by_octet: 4, half_closing: 2}
BAD = {churning: 8, endless_head: 8, never_reading: 4, malformed: 10}


async def keep(kind, seed):
    """One place in the crowd: as soon as its client is done, the next one comes."""
    random_ = random.Random(seed)
    await asyncio.sleep(random_.random() * min(5, options.seconds / 4))
    while not over:
        try:
            await kind(random_)
        except (OSError, EOFError, ValueError, asyncio.TimeoutError) as error:
            if kind in GOOD or isinstance(error, ValueError):
                if not over: errors[f"{kind.__name__}: {type(error).__name__} {error}"] += 1
            await asyncio.sleep(0.2)
        counts[kind.__name__] += 1


def processes():
    """The server's, which are looked for once: looking takes time that the clients need."""
    if not found: found.update(listening())
    return found


def listening():
    out = subprocess.run(["ss", "-ltnpH", f"sport = :{url.port}"], capture_output=True, text=True).stdout
    return {int(pid) for pid in re.findall(r"pid=(\d+)", out)}


def state():
    """Resident bytes and open descriptors of the server."""
    return memory(), descriptors()


def memory():
    return sum(int(line.split()[1]) * 1024 for pid in processes() for line in open(f"/proc/{pid}/smaps_rollup")
               if line.startswith("Rss:"))


def descriptors():
    return sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in processes())


async def crowd(seconds):
    global over
    over = False
    kinds = [kind for kind, share in {**GOOD, **BAD}.items() for _ in range(share)]
    tasks = [asyncio.create_task(keep(kinds[number % len(kinds)], number)) for number in range(options.connections)]
    most = 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        await asyncio.sleep(1)
        most = max(most, descriptors())
    over = True
    _, late = await asyncio.wait(tasks, timeout=15)
    for task in late: task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    return most


def main():
    global options, url
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--growth", type=float, default=8, help="MiB that may stay after all have gone")
    parser.add_argument("--server", help="the program to start")
    parser.add_argument("--url", help="a server that runs already")
    options = parser.parse_args()
    server = None
    if options.server:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = subprocess.Popen([options.server, str(port)], stdout=subprocess.DEVNULL)
        options.url = f"http://127.0.0.1:{port}/tagged"
    url = urlsplit(options.url)
    if not (url.hostname or "").startswith("127."): sys.exit("soak: only for a server on 127.0.0.1")
    for _ in range(100):
        if processes(): break
        time.sleep(0.1)
    try:
        asyncio.run(crowd(max(5, options.seconds // 4)))
        time.sleep(4)
        counts.clear(), errors.clear(), latencies.clear()
        before = state()
        most = asyncio.run(crowd(options.seconds))
        time.sleep(14)
        after = state()
    finally:
        if server: server.terminate(), server.wait(15)
    latencies.sort()
    at = lambda share: latencies[min(len(latencies) - 1, int(len(latencies) * share))] * 1000
    print(f"clients served: {', '.join(f'{name} {count}' for name, count in counts.most_common())}")
    print(f"latency of {len(latencies)} polls in ms: p50 {at(.5):.1f}, p99 {at(.99):.1f}, p99.9 {at(.999):.1f}, "
          f"most {latencies[-1] * 1000:.1f}")
    grown = (after[0] - before[0]) / 1048576
    print(f"memory: {before[0] / 1048576:.1f} MiB before, {grown:+.1f} MiB after; "
          f"descriptors: {before[1]} before, {most} at most, {after[1]} after")
    for text, count in errors.most_common(): print(f"error, {count} times: {text}")
    failed = bool(errors) or grown > options.growth or after[1] > before[1] or not latencies
    print("failed" if failed else "passed")
    sys.exit(failed)


main()

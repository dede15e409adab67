"""Loads of HTTP requests: as many as possible with wrk, or a number of clients that think between their requests."""

import asyncio
import pathlib
import random
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def saturate(port, requests, connections, seconds):
    """Sends requests with wrk for so many seconds; returns the number of answers, their bytes and the seconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(request.replace("\r\n", "\x1f") for request in requests))
        file.flush()
        output = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", HERE / "wrk.lua",
             f"http://127.0.0.1:{port}", "--", file.name], capture_output=True, text=True, check=True).stdout
    line = next(line for line in output.splitlines() if line.startswith("RESULT "))
    count, microseconds, size, errors = map(int, line.split()[1:])
    if errors:
        raise SystemExit(f"{errors} of {count} answers were errors: {requests[0][:200]}")
    return count, size, microseconds / 1e6


class Client:
    """One connection that sends a request and reads its answer."""

    def __init__(self, port):
        self.port = port
        self.writer = None

    async def send(self, request):
        """The status, id and size of the answer."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        size, lower = 0, head.lower()
        if b"content-length:" in lower:
            size = int(lower.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
            await self.reader.readexactly(size)
        if b"connection: close" in lower:
            self.writer.close()
            self.writer = None
        return int(head[9:12]), len(head) + size

    def close(self):
        if self.writer:
            self.writer.close()


async def think_and_send(port, kind, think, seconds, warmup, seed, found):
    """A client that thinks for a random time, sends its kind's next request, and notes its latency."""
    chance = random.Random(seed)
    client, start = Client(port), time.perf_counter()
    while True:
        if think:
            await asyncio.sleep(chance.expovariate(1 / think))
        before = time.perf_counter()
        if before - start >= seconds:
            break
        request = next(kind.requests, None)
        if request is None:
            raise SystemExit(f"{kind.name}: the load ran out of requests")
        status, _ = await client.send(request)
        after = time.perf_counter()
        if not 200 <= status < 400:
            found.errors.append((kind.name, status))
        elif before - start >= warmup and after - start <= seconds:
            found.latencies.setdefault(kind.name, []).append(after - before)
    client.close()


class Kind:
    """Clients that send one kind of request; requests are used once unless they repeat."""

    def __init__(self, name, clients, think, requests, repeats=False):
        self.name, self.clients, self.think = name, clients, think
        texts = [request.encode() for request in requests]
        self.requests = iter(texts) if not repeats else (text for _ in iter(int, 1) for text in texts)


class Found:
    def __init__(self):
        self.latencies, self.errors = {}, []


def mixed(port, kinds, seconds, warmup=2, seed=1):
    """Runs the clients of all kinds; returns latencies by kind, without those of the first seconds."""
    found = Found()

    async def run():
        await asyncio.gather(*(
            think_and_send(port, kind, kind.think, seconds, warmup, f"{seed} {kind.name} {number}", found)
            for kind in kinds for number in range(kind.clients)))

    asyncio.run(run())
    if found.errors:
        raise SystemExit(f"{len(found.errors)} answers were errors, such as {found.errors[:3]}")
    return found.latencies

"""Measures event streams of live rides, and the steps of rides that one, two and three servers make."""

import http.client
import json
import re
import selectors
import socket
import time

from cluster import Cluster, difference
from shop import Shop

STREAMS = (500, 1_000)
SECONDS = 15
# Rides that are due at the same moment.
BACKLOG = 2_000


def measure(program):
    return {"streams": streams(program), "steps": [steps(program, servers) for servers in (1, 2, 3)]}


def post(cluster, shop, riders):
    connection = http.client.HTTPConnection("127.0.0.1", cluster.port)
    for request in shop.ride_requests(riders):
        lines = request.split("\r\n")
        connection.request("POST", "/v1/rides", lines[-1], dict(line.split(": ", 1) for line in lines[1:-2]))
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 201:
            raise SystemExit(f"a ride was refused: {text[:300]}")


# Streams


def streams(program):
    """The costs of a stream for a second, without and with streams of rides under way in real time."""
    cluster = Cluster(program, 1, kangaroos=1_000, city_speed=1)
    shop = Shop(cluster)
    riders = list(shop.add_riders(max(STREAMS)))
    post(cluster, shop, riders)
    # Most kangaroos have answered and are on their way.
    time.sleep(20)
    owners = {owner: ride for ride, owner in cluster.sql("SELECT id, rider_id FROM rides WHERE due_at IS NOT NULL")}
    port = int(re.search(r"http://127\.0\.0\.1:(\d+)", (cluster.folder / "server-1.log").read_text())[1])
    readers, found = selectors.DefaultSelector(), []
    base = cluster.memory()
    for count in (0, *STREAMS):
        for rider in riders[len(readers.get_map()):count]:
            connect(port, owners[f"acc_{rider}"], shop.rider(rider), readers)
        received = read(readers, 3)
        memory, used = cluster.memory(), cluster.processor()
        start = time.time()
        received = read(readers, SECONDS)
        elapsed = time.time() - start
        used = difference(cluster.processor(), used)
        found.append({
            "streams": count, "server": used["server"] / elapsed, "postgres": used["postgres"] / elapsed,
            "memory": memory - base, "bytes": received.count and received.bytes / elapsed / max(1, count),
            "events": received.count / elapsed / max(1, count)})
        print(json.dumps(found[-1]), flush=True)
    cluster.stop()
    return found


def connect(port, ride, token, readers):
    stream = socket.create_connection(("127.0.0.1", port))
    stream.sendall(
        f"GET /v1/rides/{ride}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    stream.setblocking(False)
    readers.register(stream, selectors.EVENT_READ)


class Received:
    bytes = count = 0


def read(readers, seconds):
    """Reads all streams for so long; counts bytes and events."""
    received, end = Received(), time.time() + seconds
    while (left := end - time.time()) > 0:
        if not readers.get_map():
            time.sleep(left)
            break
        for key, _ in readers.select(left):
            data = key.fileobj.recv(65_536)
            if not data or (data.startswith(b"HTTP/1.1") and b" 200 " not in data[:20]):
                raise SystemExit(f"a stream ended: {data[:300]}")
            received.bytes += len(data)
            received.count += data.count(b"event: ")
    return received


# Steps


def steps(program, servers):
    """The steps of rides that so many servers make in a second, when more are due than they can make."""
    # A trip takes less than a step of the servers.
    cluster = Cluster(program, servers, kangaroos=1_000, city_speed=100_000)
    shop = Shop(cluster)
    first, *riders = shop.add_riders(BACKLOG + 1)
    post(cluster, shop, [first])
    wait(cluster)
    waypoints, history = cluster.sql("SELECT waypoints, history FROM rides")[0]
    history = json.dumps(json.loads(history)[:1])
    now = int(time.time() * 1e3)
    used, start = cluster.processor(), time.time()
    cluster.sql(f"""
        INSERT INTO rides (id, rider_id, species, status, waypoints, fare, currency, distance_metres, created_at,
            history, refusals, due_at, version)
        SELECT 'rid_' || i, 'acc_' || i, 'wallaby', 'requested', '{waypoints}', 1000, 'EUR', 9000, {now},
            '{history}', '[]', {now}, 1
        FROM generate_series({riders[0]}, {riders[-1]}) i; ANALYZE rides""")
    wait(cluster)
    elapsed = time.time() - start
    used = difference(cluster.processor(), used)
    made = int(cluster.sql(f"SELECT sum(version - 1) FROM rides WHERE rider_id <> 'acc_{first}'")[0][0])
    cluster.stop()
    found = {
        "servers": servers, "steps": made, "rides": BACKLOG, "rate": made / elapsed,
        "server": used["server"] / made, "postgres": used["postgres"] / made}
    print(json.dumps(found), flush=True)
    return found


def wait(cluster):
    """Waits until no ride is under way."""
    while int(cluster.sql("SELECT count(*) FROM rides WHERE due_at IS NOT NULL")[0][0]):
        time.sleep(0.2)

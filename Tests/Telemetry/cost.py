"""Measures what metrics, traces and the log in JSON cost: requests per second and the processor time of a request of two
servers, one without and one with all of it, which run side by side and get the same loads in turn.

Two processes of the same program differ by up to 25 % all their lives, so that many pairs are compared. The processor
time changes less than the requests per second while other programs use the machine.

usage: cost.py SERVER [PAIRS [SECONDS]]   (the program pouch-server; 12 pairs, 1 second for each figure by default)
"""

import http.server
import json
import statistics
import sys
import threading
import urllib.request
import uuid

from server import ROOT, Server
sys.path.insert(0, str(ROOT / "Tests/Scaling"))
from cluster import stat  # noqa: E402
from load import saturate  # noqa: E402
sys.path.insert(0, str(ROOT / "Tests"))
import tool  # noqa: E402
from machine import free_port  # noqa: E402

CONNECTIONS = 16
HIGHEST_COST = 3
LOADS = ("ready_page", "read_cart", "write_cart", "buy")


class Collector(http.server.BaseHTTPRequestHandler):
    """Takes traces, and forgets them."""

    protocol_version = "HTTP/1.1"
    requests = 0

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        Collector.requests += 1
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def request(method, path, token=None, body=None, key=None):
    head = [f"{method} {path} HTTP/1.1", "Host: shop", "User-Agent: wrk"]
    if token:
        head.append(f"Authorization: Bearer {token}")
    if key:
        head.append(f"Idempotency-Key: {key}")
    if body is None:
        return "\r\n".join(head) + "\r\n\r\n"
    text = json.dumps(body)
    return "\r\n".join(head + ["Content-Type: application/json", f"Content-Length: {len(text)}"]) + "\r\n\r\n" + text


class Loads:
    """The requests of one server, and what it used for them."""

    def __init__(self, server):
        self.server = server
        self.guests = [server.guest() for _ in range(CONNECTIONS)]
        self.body = server.purchase(self.guests[0])
        self.sku = self.body["lines"][0]["sku"]

    def measure(self, name, seconds):
        """The requests of a second, and the seconds of processor time of one."""
        requests = getattr(self, name)()
        before = stat(self.server.process.pid)[2]
        count, _, elapsed = saturate(self.server.port, requests, CONNECTIONS, seconds)
        used = stat(self.server.process.pid)[2] - before
        if name == "buy" and count + CONNECTIONS > len(requests):
            raise SystemExit(f"{count} purchases are more than were prepared.")
        return count / elapsed, used / count

    def ready_page(self):
        return [request("GET", "/v1/products?limit=4")]

    def read_cart(self):
        return [request("GET", "/v1/cart", token) for token in self.guests]

    def write_cart(self):
        return [
            request("PUT", f"/v1/cart/lines/{self.sku}", token, {"quantity": quantity})
            for quantity in range(1, 9) for token in self.guests]

    def buy(self):
        return [
            request("POST", "/v1/orders", self.guests[number % CONNECTIONS], self.body, str(uuid.uuid4()))
            for number in range(15_000)]


def scrape(port, end):
    """Reads the metrics every 15 seconds, as Prometheus usually does."""
    while not end.wait(15):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read()


def start(program, collector):
    """A server without and one with metrics, traces and the log in JSON, and the port of the metrics."""
    port = free_port()
    plain = Server(program)
    seen = Server(
        program, "--metrics-port", str(port), "--otlp", f"http://127.0.0.1:{collector.server_port}", "--log-format",
        "json", "--access-log")
    return Loads(plain), Loads(seen), port


def compare(plain, seen, seconds):
    """What each load costs, in percent: of the requests per second, and of processor time."""
    found = {}
    for name in LOADS:
        for loads in (plain, seen):
            loads.measure(name, 1)
        figures = {plain: [], seen: []}
        for loads in (plain, seen, seen, plain):
            figures[loads].append(loads.measure(name, seconds))
        (rate, time), (seen_rate, seen_time) = (
            [statistics.mean(values) for values in zip(*figures[loads])] for loads in (plain, seen))
        found[name] = 100 * (1 - seen_rate / rate), 100 * (seen_time / time - 1)
    return found


def spread(values):
    """The mean and its standard error."""
    return statistics.mean(values), statistics.stdev(values) / len(values) ** 0.5


def main(program, pairs=12, seconds=1):
    collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    costs = {name: [] for name in LOADS}
    print(f"{pairs} pairs of servers, {CONNECTIONS} connections; metrics, 10 % of the traces, log in JSON", flush=True)
    for number in range(pairs):
        plain, seen, port = start(program, collector)
        end = threading.Event()
        scraper = threading.Thread(target=scrape, args=(port, end), daemon=True)
        scraper.start()
        for name, cost in compare(plain, seen, seconds).items():
            costs[name].append(cost)
        end.set()
        scraper.join()
        for loads in (plain, seen):
            loads.server.stop()
        print(f"pair {number + 1}: " + ", ".join(f"{name} {costs[name][-1][1]:.0f} %" for name in LOADS), flush=True)
    print(f"\n{'load':12}{'cost in requests per second':>30}{'in processor time':>22}   mean of the pairs ± its error")
    isTooHigh = False
    for name in LOADS:
        (rate, rate_error), (time, error) = (spread(values) for values in zip(*costs[name]))
        print(f"{name:12}{rate:20.1f} ± {rate_error:.1f} %{time:16.1f} ± {error:.1f} %")
        isTooHigh = isTooHigh or time - 2 * error > HIGHEST_COST
    print(f"The collector got {Collector.requests} batches. At most {HIGHEST_COST} % of processor time are allowed.")
    if isTooHigh:
        raise SystemExit("At least one load costs more.")


if __name__ == "__main__":
    program, *numbers = tool.words(__doc__, 1, 3)
    main(program, *tool.numbers(numbers))

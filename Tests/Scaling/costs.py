"""Measures what each kind of request costs, and writes costs.json.

usage: costs.py SERVER [PART...]   (the program pouch-server; parts are requests, rides, catalogue, by default all)
"""

import collections
import http.client
import json
import pathlib
import sys
import time

import load
from cluster import Cluster, difference
from shop import Shop
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tool  # noqa: E402

FILE = pathlib.Path(__file__).with_name("costs.json")
CONNECTIONS = 16
SECONDS = 5


class Requests:
    """The costs of single requests, sent to one server through nginx as fast as it answers."""

    def __init__(self, program):
        self.cluster = Cluster(program, 1, kangaroos=1_000)
        self.shop = Shop(self.cluster)
        self.idle = self.idling()
        self.table = {}

    def idling(self, seconds=8):
        before = self.cluster.processor()
        time.sleep(seconds)
        used = difference(self.cluster.processor(), before)
        idle = {part: used[part] / seconds for part in ("server", "postgres")}
        self.cluster.log_statements(True)
        logged, start = len(self.cluster.logged()), time.time()
        time.sleep(seconds)
        idle |= self.counted(self.cluster.logged()[logged:], time.time() - start)
        self.cluster.log_statements(False)
        return idle

    @staticmethod
    def counted(logged, divisor):
        """The transactions that read, those that write, and the other statements, divided."""
        kinds = collections.Counter(
            ("reads" if "READ READ" in text or "READ ONLY" in text else "writes") if text.startswith("BEGIN")
            else "ends" if text.startswith(("COMMIT", "ROLLBACK")) else "statements" for text in logged)
        return {kind: kinds[kind] / divisor for kind in ("reads", "writes", "statements")}

    def measure(self, name, requests, repeats=True, connections=CONNECTIONS, seconds=SECONDS, sample=20):
        self.count(name, requests[:sample])
        if not repeats:
            requests = requests[sample:]
        used, written = self.cluster.processor(), self.cluster.written()
        count, size, elapsed = load.saturate(self.cluster.port, requests, connections, seconds)
        used = difference(self.cluster.processor(), used)
        written = difference(self.cluster.written(), written)
        if not repeats and count + connections > len(requests):
            raise SystemExit(f"{name}: {count} requests are more than were prepared")
        cost = {part: (used[part] - self.idle.get(part, 0) * elapsed) / count for part in used}
        self.table[name] |= cost | {
            "bytes": size / count, "wal": written["wal"] / count, "flushes": written["flushes"] / count,
            "flush": written["flushing"] / max(1, written["flushes"]), "rate": count / elapsed,
            "rollbacks": written["rollbacks"] / count,
            "memory": self.cluster.memory()}
        parts = "".join(f"{part} {cost[part] * 1e6:.0f} µs  " for part in cost)
        print(f"{name:16}{parts} {count / elapsed:.0f}/s", flush=True)

    def count(self, name, requests):
        """Counts the transactions and statements of a request, sent one after the other."""
        connection = http.client.HTTPConnection("127.0.0.1", self.cluster.port)
        self.cluster.log_statements(True)
        logged, start = len(self.cluster.logged()), time.time()
        for request in requests:
            head, body = request.split("\r\n\r\n")
            first, *fields = head.split("\r\n")
            method, path, _ = first.split(" ")
            connection.request(method, path, body or None, dict(field.split(": ", 1) for field in fields))
            answer = connection.getresponse()
            text = answer.read()
            if answer.status >= 400:
                raise SystemExit(f"{name}: {answer.status} {text[:300]}")
        elapsed = time.time() - start
        time.sleep(0.3)
        statements = self.cluster.logged()[logged:]
        self.cluster.log_statements(False)
        counts = self.counted(statements, len(requests))
        idle = (elapsed + 0.3) / len(requests)
        self.table[name] = {kind: max(0, counts[kind] - self.idle[kind] * idle) for kind in counts}

    def run(self):
        shop = self.shop
        handles = [product["handle"] for product in shop.products]
        pages = ["/v1/products/" + handle for handle in handles]
        self.measure("product", [shop.request("GET", page) for page in pages])
        self.measure("product 304", [shop.request("GET", page, If_None_Match=self.etag(page)) for page in pages])
        self.measure("list", [shop.request("GET", "/v1/products?limit=50")])
        self.measure("list, encoded", [
            shop.request("GET", f"/v1/products?limit=50&minPrice={number}") for number in range(20_000)], repeats=False)
        words = ["merino", "cardigan", "wool", "striped", "alpaca"]
        self.measure("search", [
            shop.request("GET", f"/v1/products?limit=20&q={words[number % 5]}&minPrice={number // 5}")
            for number in range(40_000)], repeats=False)
        self.measure("cart write", shop.cart_writes(8_000))
        self.measure("cart read", [shop.request("GET", "/v1/cart", shop.guest(number)) for number in range(4_000)])
        self.measure("checkout", shop.checkouts(14_000), repeats=False, seconds=10)
        self.measure("checkout, hot", shop.checkouts(8_000, shop.skus[:1]), repeats=False, seconds=6)
        self.measure("order read", shop.order_reads(4_000))
        body = {"email": "johnny@gmail.com", "password": "password"}
        self.measure("sign-in", [
            shop.request("POST", "/v1/sessions", body=body, X_Forwarded_For=f"203.0.113.{number}")
            for number in range(200)], connections=4, seconds=12, sample=5)
        self.measure("ride request", shop.ride_requests(shop.add_riders(9_000)), repeats=False, seconds=3)
        sizes = self.cluster.sql(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relname IN "
            "('orders', 'idempotency', 'sessions', 'stock', 'rides')")
        rows = {name: int(self.cluster.sql(f"SELECT count(*) FROM {name}")[0][0]) for name, _ in sizes}
        return {
            "requests": self.table, "idle": self.idle, "client": self.client(),
            "row bytes": {name: int(size) / max(1, rows[name]) for name, size in sizes}}

    def client(self):
        """The processor time of a request of the client that thinks, by its own measure."""
        shop, before = self.shop, self.cluster.processor()
        requests = [shop.request("GET", "/v1/products/" + shop.products[0]["handle"], If_None_Match="*")]
        latencies = load.mixed(self.cluster.port, [load.Kind("product", 8, 0.005, requests, repeats=True)], 5, 0)
        return difference(self.cluster.processor(), before)["client"] / len(latencies["product"])

    def etag(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.cluster.port)
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.headers["ETag"]


def main():
    program, *parts = tool.words(__doc__, 1)
    tool.choices(parts, ("requests", "rides", "catalogue"))
    found = json.loads(FILE.read_text()) if FILE.exists() else {}
    if not parts or "requests" in parts:
        measured = Requests(program)
        found |= measured.run()
        measured.cluster.stop()
    if not parts or "rides" in parts:
        import rides
        found["rides"] = rides.measure(program)
    if not parts or "catalogue" in parts:
        import catalogue
        found["catalogue"] = catalogue.measure(program)
    FILE.write_text(json.dumps(rounded(found), indent=1, sort_keys=True) + "\n")


def rounded(value):
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


main()

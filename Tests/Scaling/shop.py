"""Guests with carts, riders, and the requests that they send to a cluster."""

import base64
import hashlib
import hmac
import http.client
import json
import time

ADDRESS = {"name": "Ada", "line1": "Main Street 1", "city": "Berlin", "postalCode": "10115", "country": "DE"}
STOCK = 100_000_000


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Shop:
    """The demo shop of a cluster with stock for any load."""

    def __init__(self, cluster):
        self.cluster = cluster
        cluster.sql(
            f"UPDATE stock SET on_hand = {STOCK}, changed_at = extract(epoch FROM now()) * 1000;"
            "ALTER SYSTEM SET track_wal_io_timing = on; SELECT pg_reload_conf()")
        key, secret = cluster.sql("SELECT id, encode(secret, 'hex') FROM signing_keys ORDER BY created_at DESC")[0]
        self.key = key
        self.secret = hmac.digest(bytes.fromhex(secret), b"access token", hashlib.sha256)
        # The servers notice new stock at their next check.
        time.sleep(2.5)
        products, self.products = "/v1/products?limit=100", []
        while products:
            page = self.get(products)
            self.products += page["items"]
            cursor = page.get("nextCursor")
            products = cursor and "/v1/products?limit=100&cursor=" + cursor
        self.skus = [variant["sku"] for product in self.products for variant in product["variants"]]
        self.made = 0

    def token(self, session, owner, kind):
        """An access token as the servers sign them."""
        now = int(time.time())
        header = {"alg": "HS256", "kid": self.key, "typ": "JWT"}
        claims = {"exp": now + 7_200, "iat": now, "kind": kind, "sid": session, "sub": owner}
        signed = ".".join(encoded(json.dumps(part, separators=(",", ":")).encode()) for part in (header, claims))
        return signed + "." + encoded(hmac.digest(self.secret, signed.encode(), hashlib.sha256))

    # Guests

    def add_guests(self, count, skus):
        """Adds guests with one unit in the cart, over the SKUs in turn, and a chosen shipping method."""
        first = self.made
        self.made += count
        address = json.dumps(ADDRESS).replace("'", "''")
        now = int(time.time() * 1e3)
        numbers = f"generate_series({first}, {self.made - 1}) i"
        names = ", ".join(f"'{sku}'" for sku in skus)
        self.cluster.sql(f"""
            INSERT INTO sessions (id, kind, created_at) SELECT 'ses_' || i, 'guest', {now} FROM {numbers};
            INSERT INTO carts (owner_id, version, shipping_method_id, shipping_address, changes, updated_at)
            SELECT 'ses_' || i, 2, 'standard', '{address}', '[]', {now} FROM {numbers};
            INSERT INTO cart_lines (owner_id, sku, position, quantity, seen_price)
            SELECT 'ses_' || i, s.sku, 1, 1, v.price FROM {numbers}
            JOIN unnest(ARRAY[{names}]) WITH ORDINALITY s (sku, n) ON s.n = i % {len(skus)} + 1
            JOIN current_variants v ON v.sku = s.sku;
            ANALYZE sessions, carts, cart_lines""")
        return range(first, self.made)

    def guest(self, number):
        return self.token(f"ses_{number}", f"ses_{number}", "guest")

    def checkouts(self, count, skus=None):
        """One checkout for each of so many new guests."""
        skus = skus or self.skus
        guests = self.add_guests(count, skus)
        totals = {}
        for number in guests[:len(skus)]:
            cart = self.get("/v1/cart", self.guest(number))
            totals[number % len(skus)] = cart["totals"]["total"]
        return [
            self.request(
                "POST", "/v1/cart/checkout", self.guest(number), {
                    "paymentMethod": {"type": "card", "token": "tok_ok"}, "email": "ada@example.com",
                    "expectedTotal": totals[number % len(skus)]}, f"key-{number}")
            for number in guests]

    def cart_writes(self, count):
        """Changes of the quantity in the carts of new guests, two for each guest."""
        guests = self.add_guests(count // 2, self.skus)
        return [
            self.request(
                "PUT", "/v1/cart/lines/" + self.skus[number % len(self.skus)], self.guest(number),
                {"quantity": quantity})
            for quantity in (2, 3) for number in guests]

    def order_reads(self, count):
        """Reads of orders that guests have placed."""
        orders = self.cluster.sql(f"SELECT id, owner_id FROM orders WHERE owner_id LIKE 'ses_%' LIMIT {count}")
        return [self.request("GET", "/v1/orders/" + order, self.token(owner, owner, "guest")) for order, owner in orders]

    # Riders

    def add_riders(self, count):
        """Adds customers without a password, who may ride; returns their numbers."""
        first = self.made
        self.made += count
        now = int(time.time() * 1e3)
        numbers = f"generate_series({first}, {self.made - 1}) i"
        self.cluster.sql(f"""
            INSERT INTO accounts (id, role, name, email, password_hash, created_at)
            SELECT 'acc_' || i, 'customer', 'Rider', 'rider' || i || '@example.com', '', {now} FROM {numbers};
            INSERT INTO sessions (id, kind, account_id, created_at)
            SELECT 'ses_' || i, 'customer', 'acc_' || i, {now} FROM {numbers}; ANALYZE accounts, sessions""")
        return range(first, self.made)

    def rider(self, number):
        return self.token(f"ses_{number}", f"acc_{number}", "customer")

    def ride_requests(self, riders, degrees=0.1):
        """A ride of 9 km for each rider, from places that are spread over the city."""
        return [
            self.request(
                "POST", "/v1/rides", self.rider(number), {
                    "rideOptionID": ["wallaby", "wallaroo", "kangaroo"][number % 3],
                    "waypoints": {
                        "pickupLocation": self.place(number, 0), "dropoffLocation": self.place(number, degrees)}},
                f"ride-{number}")
            for number in riders]

    @staticmethod
    def place(number, east):
        north = (number * 7 % 100 - 50) / 1e3
        return {"latitude": -33.85 + north, "longitude": 151.1 + (number * 13 % 100 - 50) / 1e3 + east}

    # HTTP

    def request(self, method, path, token=None, body=None, key=None, **headers):
        """The text of a whole request."""
        data = "" if body is None else json.dumps(body)
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
        if token:
            lines.append("Authorization: Bearer " + token)
        if key:
            lines.append("Idempotency-Key: " + key)
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(data.encode())}"]
        lines += [name.replace("_", "-") + ": " + value for name, value in headers.items()]
        return "\r\n".join(lines + ["", data])

    def get(self, path, token=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.cluster.port, timeout=30)
        connection.request("GET", path, headers={"Authorization": "Bearer " + token} if token else {})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise SystemExit(f"GET {path}: {answer.status} {text[:300]}")
        return json.loads(text)

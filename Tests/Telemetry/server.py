"""A server with the demo in a temporary folder."""

import atexit
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests"))
from machine import PATIENCE  # noqa: E402

ADDRESS = {"name": "Ada", "line1": "Main Street 1", "city": "Berlin", "postalCode": "10115", "country": "DE"}


class Server:
    """Runs `pouch-server serve` with options until the program ends."""

    def __init__(self, program, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        file = self.folder / "shop.sqlite"
        subprocess.run(
            [ROOT / "Server/Demo/load.sh", program, "--database", f"sqlite:{file}"], check=True, capture_output=True)
        with sqlite3.connect(file) as database:
            database.execute("UPDATE stock SET on_hand = 100000000")
        database.close()
        self.log = self.folder / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [program, "serve", "--port", "0", "--database", f"sqlite:{file}", "--new-sessions", "0", *options],
                stdout=subprocess.PIPE, stderr=log, text=True)
        atexit.register(self.stop)
        welcome = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", welcome)
        if not found:
            raise SystemExit(f"The server did not start: {self.log.read_text()[-500:]}")
        self.port = int(found[1])

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, method, path, body=None, token=None, **headers):
        """The status and the JSON of an answer."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def guest(self):
        """The access token of a new guest."""
        return self.send("POST", "/v1/sessions/guest")[1]["remoteSession"]["accessToken"]

    def purchase(self, token):
        """The body of a request that buys one unit of a product."""
        product = self.send("GET", "/v1/products?limit=1")[1]["items"][0]
        sku = product["variants"][0]["sku"]
        body = {"lines": [{"sku": sku, "quantity": 1}], "address": ADDRESS, "methodId": "standard"}
        total = self.send("POST", "/v1/orders/preview", body, token)[1]["totals"]["total"]
        return body | {
            "paymentMethod": {"type": "card", "token": "tok_ok"}, "expectedTotal": total, "email": "ada@example.com"}

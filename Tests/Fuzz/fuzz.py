"""Sends valid and invalid requests of the OpenAPI document to a temporary server, and checks every answer.

usage: fuzz.py SERVER FEED EXAMPLES   (the program pouch-server, a LAYERS feed to import, cases for each operation)
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid

import openapi_spec_validator

from surroundings import PAGE
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tool  # noqa: E402


HERE = pathlib.Path(__file__).resolve().parent
# Differs from the examples of the document, so that no generated request signs in or deletes the account.
PASSWORD = "unlike any example"
# Runs last, since it ends the session that the other operations need.
LAST = "signOut"


class Shop:
    def __init__(self, url, token=None):
        self.url = url
        self.token = token

    def send(self, method, path, body=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def session(self, path, body=None):
        return Shop(self.url, self.send("POST", path, body)["remoteSession"]["accessToken"])

    def place_order(self):
        """Places an order as this principal and returns its ID."""
        product = self.send("GET", "/v1/products/cinder-jumper")
        sku = max(product["variants"], key=lambda variant: variant["available"])["sku"]
        address = {"name": "Ann", "line1": "1 High Street", "city": "Sydney", "postalCode": "2000", "country": "AU"}
        purchase = {"lines": [{"sku": sku, "quantity": 1}], "address": address, "methodId": "standard"}
        total = self.send("POST", "/v1/orders/preview", purchase)["totals"]["total"]
        payment = {"paymentMethod": {"type": "card", "token": "tok_ok"}, "expectedTotal": total}
        order = self.send(
            "POST", "/v1/orders", purchase | payment | {"email": "ann@example.com"}, Idempotency_Key=uuid.uuid4().hex)
        return order["id"]


def started(server, database):
    """Starts the server and returns its process and its address."""
    with open(database.with_name("log"), "w") as log:
        process = subprocess.Popen(
            [
                server, "serve", "--database", f"sqlite:{database}", "--port", "0", "--allow-origin", PAGE,
                "--trusted-proxies", "127.0.0.1", "--rate-limit", "1000",
            ], stdout=subprocess.PIPE, stderr=log, text=True)
    for line in process.stdout:
        if found := re.search(r"http://[0-9.:]+", line):
            return process, found[0]
    raise SystemExit("The server did not start.")


def fuzz(shop, examples, order, folder, *selection):
    environment = os.environ | {
        "FUZZ_ORDER": order, "SCHEMATHESIS_HOOKS": "surroundings", "PYTHONPATH": str(HERE)}
    # Schemathesis leaves a folder in its working directory.
    command = [
        pathlib.Path(sys.executable).with_name("st"), "--config-file", HERE / "schemathesis.toml",
        "run", shop.url + "/openapi.json", "--header", "Authorization: Bearer " + shop.token,
        "--max-examples", examples, "--phases", "examples,coverage,fuzzing", "--continue-on-failure",
        "--workers", "2", "--warnings", "off", *selection,
    ]
    return subprocess.run(command, cwd=folder, env=environment).returncode


def check(log):
    """Returns 1 if the log has a character that could steer a terminal."""
    lines = [line for line in log.read_text(errors="replace").splitlines() if not line.isprintable()]
    for line in lines[:10]:
        print(f"The log has a line that is not printable: {line!r}", file=sys.stderr)
    return 1 if lines else 0


def run(server, feed, examples, folder):
    database = folder / "shop.sqlite"
    options = ["--database", f"sqlite:{database}"]
    subprocess.run([server, "import", *options, "--format", "layers-json", feed], check=True)
    subprocess.run(
        [server, "admin", "create", *options, "--email", "admin@example.com"], input=PASSWORD + "\n", text=True,
        check=True)
    process, url = started(server, database)
    try:
        anyone = Shop(url)
        openapi_spec_validator.validate(anyone.send("GET", "/openapi.json"))
        account = {"name": "Ann", "email": "ann@example.com", "password": PASSWORD}
        principals = {
            "a guest": anyone.session("/v1/sessions/guest"),
            "a customer": anyone.session("/v1/accounts", account),
            "an administrator": anyone.session(
                "/v1/sessions", {"email": "admin@example.com", "password": PASSWORD}),
        }
        statuses = []
        for name, shop in principals.items():
            print(f"\nAs {name}:", flush=True)
            statuses.append(fuzz(shop, examples, shop.place_order(), folder, "--exclude-operation-id", LAST))
        guest = anyone.session("/v1/sessions/guest")
        statuses.append(fuzz(guest, examples, "none", folder, "--include-operation-id", LAST))
        if process.poll() is not None:
            print("The server ended during the run.", file=sys.stderr)
            return 1
        return max([*statuses, check(database.with_name("log"))])
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    program, feed, examples = tool.words(__doc__, 3, 3)
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        status = run(program, feed, examples, pathlib.Path(folder))
        print(f"Fuzzed for {time.monotonic() - start:.0f} s.")
        sys.exit(status)

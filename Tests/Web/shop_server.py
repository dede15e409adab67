"""A pouch-server with its own database and mail folder, and calls of its API for test data."""

import contextlib
import email
import email.policy
import http.server
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from machine import PATIENCE, free_port, wait_for  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery"
OWNER = "owner@example.com"


class Shop:
    """A server that stops at the end of the `with` block, and whose files are then deleted.

    With the demo it sells its products, and Johnny has an account. Otherwise it has an owner and nothing else.
    """

    def __init__(self, program, *options, demo=True, name="Pouch Knitwear", city_speed=5):
        self.program = program
        self.folder = Path(tempfile.mkdtemp(prefix="pouch-web-"))
        self.log = open(self.folder / "server.log", "w+")
        self.process = None
        self.tokens = {}
        try:
            self.environment = {**os.environ, "POUCH_DATABASE": f"sqlite:{self.folder}/shop.sqlite"}
            if demo:
                self.run([ROOT / "Server/Demo/load.sh", program])
            self.run([program, "admin", "create", "--create", "--email", OWNER, "--name", "Olive Owner"], PASSWORD)
            # A ride takes minutes, longer than a busy machine needs for a page, and webhooks may go to this machine. Links in
            # mails need a known port.
            self.process = subprocess.Popen(
                [program, "serve", "--port", str(free_port()), "--mail", f"folder:{self.folder}/mails", "--shop-name", name,
                 "--city-speed", str(city_speed), "--allow-private-webhooks", "--log-level", "warning", *options],
                env=self.environment, stdout=subprocess.PIPE, stderr=self.log, text=True)
            self.site = self.address()
        except BaseException:
            self.stop()
            raise

    def run(self, command, line=""):
        answer = subprocess.run(
            command, env=self.environment, input=line + "\n", capture_output=True, text=True, timeout=PATIENCE)
        assert answer.returncode == 0, f"{command}: {answer.stderr}"

    def address(self):
        """The address that the server prints once it listens."""
        for line in self.process.stdout:
            if found := re.search(r"http://[0-9.]+:\d+", line):
                return found[0]
        raise AssertionError("The server has ended: " + Path(self.log.name).read_text()[-2000:])

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    # The API

    def call(self, method, path, body=None, *, user=OWNER, password=PASSWORD):
        """Sends a request with the token of a user, if any, and returns its JSON. A body of bytes is a picture."""
        headers = {"Content-Type": "image/png" if isinstance(body, bytes) else "application/json"}
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        if user:
            headers["Authorization"] = f"Bearer {self.token(user, password)}"
        request = urllib.request.Request(self.site + path, content, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return json.loads(response.read() or b"null")
        except urllib.error.HTTPError as problem:
            raise AssertionError(f"{method} {path}: {problem.read().decode()}") from None

    def token(self, user, password):
        if user not in self.tokens:
            session = self.call("POST", "/v1/sessions", {"email": user, "password": password}, user=None)
            self.tokens[user] = session["remoteSession"]["accessToken"]
        return self.tokens[user]

    def add_customer(self, address, name="Ann Example"):
        self.call("POST", "/v1/accounts", {"email": address, "name": name, "password": PASSWORD}, user=None)

    def add_product(self, name, *, stock=10, price=4900, **terms):
        variant = {"price": {"amount": price, "currency": "EUR"}, "stock": stock}
        product = self.call(
            "POST", "/v1/admin/products", {"name": name, "status": "published", "variants": [variant], **terms})
        wait_for(lambda: self.is_on_sale(product["handle"]), f"The catalogue has no {product['handle']}.")
        return product

    def is_on_sale(self, handle):
        try:
            return urllib.request.urlopen(f"{self.site}/v1/products/{handle}", timeout=PATIENCE).status == 200
        except urllib.error.HTTPError:
            return False

    def orders(self, **search):
        query = urllib.parse.urlencode(search)
        return self.call("GET", f"/v1/admin/orders?{query}")["items"]

    def forgets_confirmations(self):
        """Makes the latest confirmations of passwords too old for sensitive requests."""
        with contextlib.closing(sqlite3.connect(self.folder / "shop.sqlite", timeout=PATIENCE)) as database, database:
            database.execute("UPDATE sessions SET confirmed_at = 1")

    def hastens_rides(self):
        """Makes the next step of each ride due, which the server takes within seconds."""
        with contextlib.closing(sqlite3.connect(self.folder / "shop.sqlite", timeout=PATIENCE)) as database, database:
            database.execute("UPDATE rides SET due_at = 1 WHERE due_at IS NOT NULL")

    # Mails

    def mail(self, recipient, subject):
        """The plain text of a mail, once it is there. The files come whole: the server renames them into the folder."""
        seen = set()

        def find():
            for path in sorted(set((self.folder / "mails").glob("*.eml")) - seen):
                seen.add(path)
                mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
                if recipient in str(mail["To"]) and subject in str(mail["Subject"]):
                    return mail
            return None

        mail = wait_for(find, f"No mail “{subject}” to {recipient}.")
        return mail.get_body(("plain",)).get_content()

    def link(self, recipient, subject):
        """The link with a secret in a mail."""
        text = self.mail(recipient, subject)
        found = re.search(r"https?://\S+#\S+", text)
        assert found, f"The mail “{subject}” has no link: {text}"
        return found[0]


class QuietHandler(http.server.BaseHTTPRequestHandler):
    """Prints no line for a request."""

    def log_message(self, *_):
        pass


class LoopbackServer:
    """A web server of a test. Stops at the end of the `with` block."""

    def __init__(self, handler):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.site = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

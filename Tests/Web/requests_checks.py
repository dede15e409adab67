"""Raw requests to koober --web: from other sites and programs, too large ones, and streams of events."""

import http.client
import os
import re
import select
import socket
import subprocess
from urllib.parse import urlencode, urlsplit

from passenger import PATIENCE, Koober, wait_for


class Browser:
    """A browser of the user, with full control over its requests."""

    def __init__(self, koober):
        address = urlsplit(koober.address)
        self.host = address.netloc
        answer, _ = self.send("GET", f"/?{address.query}")
        assert answer.status == 303 and answer.getheader("Location") == "/", answer.status
        cookie = answer.getheader("Set-Cookie")
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        self.cookie = cookie.split(";")[0]
        answer, page = self.send("GET", "/", Cookie=self.cookie)
        assert answer.status == 200, page
        self.token = re.search(r'name="token" value="(\w+)"', page)[1]

    def send(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer, answer.read().decode()

    def intends(self, intention, token=None, origin=None, **headers):
        form = urlencode({"token": token or self.token, "intention": intention})
        headers = {"Content_Type": "application/x-www-form-urlencoded", "Cookie": self.cookie,
                   "Origin": origin or "http://" + self.host} | headers
        return self.send("POST", "/intentions", form, **headers)[0].status

    def heading(self):
        page = self.send("GET", "/", Cookie=self.cookie)[1]
        return re.search(r"<h1[^>]*>([^<]*)", page)[1]

    def follow(self):
        """Opens a stream of events, and returns the connection and a function that waits for the next event."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        connection.request("GET", "/events", headers={"Cookie": self.cookie})
        answer = connection.getresponse()

        def event():
            lines = []
            while line := answer.readline().decode().rstrip("\n"):
                lines.append(line)
            return "\n".join(lines)

        return answer.status, connection, event


def other_sites(ann):
    """Nothing of another site, another browser or another name for this machine gets through."""
    assert ann.intends("goToSignIn", origin="http://evil.example") == 403
    assert ann.intends("goToSignIn", origin="null") == 403
    assert ann.intends("goToSignIn", Sec_Fetch_Site="cross-site") == 403
    assert ann.intends("goToSignIn", token="0" * 32) == 403
    assert ann.intends("goToSignIn", Cookie="koober=1") == 403
    assert ann.intends("goToSignIn", Host="evil.example:8080") == 421
    for path in ("/", "/events", "/koober.js"):
        assert ann.send("GET", path, Cookie=ann.cookie, Host="evil.example")[0].status == 421
    assert ann.send("GET", "/")[0].status == 403
    assert ann.send("GET", "/?key=" + "0" * 32)[0].status == 403
    assert ann.send("GET", "/events")[0].status == 403
    assert ann.send("GET", "/events", Cookie=ann.cookie, Sec_Fetch_Site="cross-site")[0].status == 403


def wrong_requests(ann):
    assert ann.intends("fly") == 422
    assert ann.intends("signIn") == 422  # without its fields
    assert ann.intends("confirmRide") == 409
    assert ann.send("POST", "/intentions", "{}", Cookie=ann.cookie, Content_Type="application/json")[0].status == 415
    assert ann.send("PUT", "/", "x", Cookie=ann.cookie)[0].status == 405
    assert ann.send("GET", "/etc/passwd", Cookie=ann.cookie)[0].status == 404
    assert ann.send("GET", "/../koober.js", Cookie=ann.cookie)[0].status == 404
    assert ann.send("POST", "/intentions", b"x" * (16 * 1024 + 1), Cookie=ann.cookie)[0].status == 413
    assert ann.send("GET", "/", Cookie="x=" + "y" * 20_000)[0].status in (400, 413, 431)


def garbage(ann):
    """Bytes that are no HTTP get an error or an end, and the site lives on."""
    host, port = ann.host.split(":")
    for bytes in (b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/9.9\r\n\r\n", b"GET\r\n\r\n", b"\x00" * 100 + b"\r\n\r\n"):
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
            connection.sendall(bytes)
            connection.shutdown(socket.SHUT_WR)
            assert not connection.recv(1000).startswith(b"HTTP/1.1 200")


def headers(ann):
    """Every answer says what a browser may do with it."""
    for path in ("/", "/koober.css", "/koober.js", "/icon.svg", "/nothing"):
        answer, _ = ann.send("GET", path, Cookie=ann.cookie)
        policy = answer.getheader("Content-Security-Policy")
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert answer.getheader("Cache-Control") == "no-store" and answer.getheader("X-Content-Type-Options") == "nosniff"


def streams(ann):
    """A stream starts with the present screen, also after a break. Their number is bounded."""
    status, connection, event = ann.follow()
    assert status == 200 and 'data-view="welcome"' in event()
    assert ann.intends("goToSignIn") == 303
    assert 'data-view="sign-in"' in event()
    connection.close()
    assert ann.intends("goBack") == 303
    assert ann.intends("goToSignUp") == 303
    status, connection, event = ann.follow()
    first = event()
    assert status == 200 and 'data-view="sign-up"' in first and first.count("\n") == 1, first
    connection.close()
    assert ann.intends("goBack") == 303

    open_streams = []
    while (stream := ann.follow())[0] == 200:
        open_streams.append(stream)
        assert len(open_streams) < 100
    assert stream[0] == 503 and len(open_streams) >= 10
    for _, connection, _ in open_streams:
        connection.close()
    # The site notices soon that they are gone.
    wait_for(lambda: ann.follow()[0] == 200, "The streams that ended make no room.")


def idle(ann):
    """More connections than the site takes: it ends the others, and answers again when there is room."""
    host, port = ann.host.split(":")
    connections = [socket.create_connection((host, int(port))) for _ in range(100)]
    # Which ones it ends depends on how soon it notices that those of the checks before are gone.
    waiting = set(connections)
    while len(waiting) > 64:
        # The site does not speak first: what can be read is the end.
        ended, _, _ = select.select(waiting, [], [], PATIENCE)
        assert ended, f"{len(waiting)} idle connections are open."
        waiting -= set(ended)
    for connection in connections:
        connection.close()

    def answers():
        try:
            return ann.send("GET", "/", Cookie=ann.cookie)[0]
        except ConnectionError:
            # The site has not yet noticed each end.
            return None

    assert wait_for(answers, "koober does not answer any more.").status == 200


def cannot_log(program):
    """A file that cannot be written is an error, before there is a server."""
    koober = subprocess.run(
        [program, "--web", "0", "--server", os.environ["POUCH_SERVER"], "--session-store", "memory",
         "--architecture", "redux", "--log-actions", "/nonexistent/actions"],
        capture_output=True, text=True, timeout=PATIENCE)
    assert koober.returncode == 64 and "/nonexistent/actions" in koober.stderr and not koober.stdout, koober


def port_in_use(program, koober):
    port = koober.site.rpartition(":")[2]
    other = subprocess.run(
        [program, "--web", port, "--server", os.environ["POUCH_SERVER"], "--session-store", "memory"],
        capture_output=True, text=True, timeout=PATIENCE)
    assert other.returncode == 1 and f"Port {port} is in use" in other.stderr and not other.stdout, other


def run(program):
    with Koober(program) as koober:
        port_in_use(program, koober)
        cannot_log(program)
        first = koober.address
        ann = Browser(koober)
        assert ann.send("GET", "/?" + urlsplit(first).query)[0].status == 403, "A key opens the site twice."
        heading = ann.heading()
        other_sites(ann)
        wrong_requests(ann)
        garbage(ann)
        headers(ann)
        assert ann.heading() == heading, "A refused request has changed the screen."
        streams(ann)
        idle(ann)
        other = Koober.next_address(koober)
        assert other != first

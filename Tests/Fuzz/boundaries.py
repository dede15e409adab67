"""Sends the values at the edges of types to every operation and every option, and checks that no program ends by them.

usage: boundaries.py SERVER   (the program pouch-server; takes about a minute)

Each value replaces one field, parameter or header of a request that is otherwise made from the document's schemas. A
server may refuse it, but not by a status of 500 or by silence, and it has to live on.
"""

import http.client
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tool  # noqa: E402
from machine import PATIENCE  # noqa: E402

NUMBERS = [
    0, -1, 1, 2**15, 2**16, 2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 10**30,
]
RAW_NUMBERS = ["1e308", "-1e308", "1e-400", "1e999999999", "0.1", "-0", "1" + "0" * 400]
TEXTS = [
    "", " ", "\x00", "a" * 5_000, "\u0301" * 40, "\ud83d\ude00" * 300, "0000-01-01T00:00:00Z", "9999-12-31T23:59:60.999Z",
    "9999-12-31T23:59:59-23:59", "-9223372036854775808", "9223372036854775807", "18446744073709551616", "NaN", "inf",
    "https://93.184.216.34:99999/x", "https://example.com:0/", "https://example.com:18446744073709551616/", "//", "%", "%00",
    "../..", "=1+1", "\u202e",
]
OPTIONS = {
    "--port": ["-1", "65536", "99999999999999999999"],
    "--connections": ["-1", "0", "9223372036854775807", "99999999999999999999"],
    "--rate-limit": ["-1", "nan", "inf", "1e308", "1e-300"],
    "--new-sessions": ["-1", "nan", "inf", "1e308"],
    "--audit-days": ["0", "-1", "9223372036854775807"],
    "--city-speed": ["0", "nan", "inf", "1e308"],
    "--kangaroos": ["-1", "9223372036854775807"],
    "--metrics-port": ["-1", "65536", "9223372036854775807"],
    "--trace-sampling": ["nan", "inf", "-1"],
    "--payments": ["http://127.0.0.1:99999", "http://127.0.0.1:0", "http://[::1", "unix:/x", "http://a b"],
    "--otlp": ["http://127.0.0.1:99999", "http://127.0.0.1:0", "http://:1", "https://127.0.0.1:18446744073709551616"],
    "--mail": ["smtp://127.0.0.1:99999", "smtp://:0", "folder:", "smtp://a@"],
    "--public-url": ["https://x:99999", "x", "https://"],
    "--host": ["", "999.1.1.1", "[::1", "\u00e9"],
    "--trusted-proxies": ["10.0.0.0/99", "::/129", "10.0.0.0/-1", "1/2/3"],
    "--currency": ["", "EURO", "\u20ac"],
    "--database": ["sqlite:", "postgres://127.0.0.1:99999/x", "sqlite:/dev/null/x", "nowhere:1"],
}


class Run:
    def __init__(self, process, port):
        self.process, self.port, self.count, self.faults = process, port, 0, []

    def send(self, what, method, path, body=None, headers=None, token=None):
        headers = {"Host": "shop", **(headers or {})}
        if token:
            headers["Authorization"] = "Bearer " + token
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        self.count += 1
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            # A stream of events goes on.
            data = b"" if "event-stream" in (answer.headers["Content-Type"] or "") else answer.read()
        except (OSError, http.client.HTTPException, ValueError, UnicodeError) as error:
            if self.process.poll() is not None:
                raise SystemExit(f"The server ended by {method} {path} with {what}: {error}")
            # Others are requests that http.client does not send, and connections that the server closes.
            if isinstance(error, TimeoutError):
                self.faults.append(f"{method} {path}: no answer within {PATIENCE} s with {what}")
            return None, b""
        finally:
            connection.close()
        if answer.status == 500:
            self.faults.append(f"{method} {path}: 500 with {what}")
        return answer.status, data


def example(schema, document, depth=0):
    """A value of the schema, without optional fields of deep objects."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    for key in ("example", "const"):
        if key in schema:
            return schema[key]
    if "examples" in schema:
        return schema["examples"][0]
    if "enum" in schema:
        return schema["enum"][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return example(schema[key][0], document, depth)
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        fields = schema.get("properties", {})
        if depth > 3:
            fields = {name: fields[name] for name in schema.get("required", []) if name in fields}
        return {name: example(field, document, depth + 1) for name, field in fields.items()}
    if kind == "array":
        return [example(schema.get("items", {}), document, depth + 1)]
    return {"integer": 1, "number": 1, "boolean": True, "string": "a", None: "a"}.get(kind)


def places(value, path=()):
    """The paths of all values within a value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    for key, item in items:
        yield from places(item, path + (key,))


def replaced(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


def try_operation(run, document, path, method, operation, tokens):
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    body = example(content["schema"], document) if content else None
    values = {parameter["name"]: parameter for parameter in operation.get("parameters", [])}
    filled = re.sub(r"{(\w+)}", "x", path)
    encoded = None if body is None else json.dumps(body)
    for token in tokens:
        run.send("its example", method, filled, encoded, token=token)
        for name, parameter in values.items():
            for value in [*map(str, NUMBERS), *RAW_NUMBERS, *TEXTS]:
                quoted = urllib.parse.quote(value.encode("utf-8", "surrogatepass"), safe="")
                what = f"{name} = {value[:40]!r}"
                if parameter["in"] == "query":
                    run.send(what, method, f"{filled}?{urllib.parse.quote(name)}={quoted}", encoded, token=token)
                elif parameter["in"] == "path":
                    run.send(what, method, path.replace("{" + name + "}", quoted), encoded, token=token)
                elif value.isprintable() and value.isascii():
                    run.send(what, method, filled, encoded, {name: value}, token)
        for place in places(body) if body is not None else []:
            for value in [*NUMBERS, *TEXTS, None, True, [], {}]:
                sent = json.dumps(replaced(body, place, value))
                run.send(f"{place} = {str(value)[:40]!r}", method, filled, sent, token=token)
            for number in RAW_NUMBERS:
                marked = json.dumps(replaced(body, place, "~number~"))
                run.send(f"{place} = {number[:40]}", method, filled, marked.replace('"~number~"', number), token=token)


def try_requests(server, folder):
    database = folder / "shop.sqlite"
    password = "unlike any example"
    subprocess.run(
        [server, "admin", "create", "--create", "--database", f"sqlite:{database}", "--email", "admin@example.com"],
        input=password + "\n", text=True, check=True, stdout=subprocess.DEVNULL)
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(
            [server, "serve", "--database", f"sqlite:{database}", "--port", "0", "--new-sessions", "0", "--mail",
             f"folder:{folder}/mails"], stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        port = next(int(found[1]) for line in process.stdout if (found := re.search(r"http://[0-9.]+:(\d+)", line)))
        run = Run(process, port)

        def token(path, body):
            return json.loads(run.send("", "POST", path, body)[1])["remoteSession"]["accessToken"]

        admin = token("/v1/sessions", json.dumps({"email": "admin@example.com", "password": password}))
        guest = token("/v1/sessions/guest", None)
        document = json.loads(run.send("", "GET", "/openapi.json")[1])
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                # These end the session, or take seconds for each password.
                if operation.get("operationId") in {"signOut", "signUp", "signIn", "deleteAccount", "changePassword"}:
                    continue
                access = operation.get("x-access", "")
                tokens = [None] if access == "anyone" else [guest] if access == "guestOrCustomer" else [admin]
                try_operation(run, document, path, method.upper(), operation, tokens)
        if process.poll() is not None or run.send("", "GET", "/health/live")[0] != 200:
            raise SystemExit("The server does not answer any more.")
        print(f"{run.count} requests.")
        return run.faults
    finally:
        process.terminate()
        process.wait()


def status_of(arguments, stops):
    """Runs the program until it ends. Stops a server once it prints its address, and kills what does neither."""
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    late = threading.Timer(PATIENCE, process.kill)
    late.start()
    try:
        for line in process.stdout:
            if stops and re.search(r"https?://\S+:\d+", line):
                process.terminate()
        return process.wait()
    finally:
        late.cancel()
        process.stdout.close()


def try_options(server, folder):
    """Each option has to be refused with a sentence, or taken; a signal is neither."""
    faults = []
    for name, values in OPTIONS.items():
        for value in values:
            for command in ["serve", "doctor"]:
                others = [] if name == "--database" else ["--database", f"sqlite:{folder}/options.sqlite"]
                more = ["--otlp", "http://127.0.0.1:9"] if name == "--trace-sampling" else []
                port = [] if name == "--port" else ["--port", "0"]
                arguments = [server, command, *others, *more, *port, f"{name}={value}"]
                status = status_of(arguments, stops=command == "serve")
                if status == -signal.SIGKILL:
                    faults.append(f"{command} {name}={value}: neither served nor ended within {PATIENCE} s")
                elif status < 0 and status != -signal.SIGTERM:
                    faults.append(f"{command} {name}={value}: signal {-status}")
    return faults


if __name__ == "__main__":
    program, = tool.words(__doc__, 1, 1)
    with tempfile.TemporaryDirectory() as made:
        start = time.monotonic()
        found = try_options(program, pathlib.Path(made)) + try_requests(program, pathlib.Path(made))
        for fault in found:
            print(fault, file=sys.stderr)
        print(f"Tried the edges for {time.monotonic() - start:.0f} s.")
        sys.exit(1 if found else 0)

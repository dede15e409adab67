"""Adds headers of browsers and proxies to the requests of the fuzzer, and checks the answers to web pages."""

import random

import schemathesis

# The page that the server allows.
PAGE = "https://shop.example.com"
# The origins of other pages, and texts that only resemble the one that is allowed.
OTHER_PAGES = [
    "null", "*", "https://shop.example.com.example.org", "https://shop.example.com:444", "http://shop.example.com",
    "https://SHOP.example.com", "https://shop.example.com/", "https://shop.example.com, https://example.org", "é",
]
# The server trusts the fuzzer as its proxy, so these name the client whose requests are counted and logged.
FORWARDED = [
    "203.0.113.7", "2001:db8::1", "::ffff:203.0.113.7", "[2001:db8::1]:4711", "203.0.113.7:4711", "unknown", "_hidden",
    "127.0.0.1", "203.0.113.7, 127.0.0.1", ",,,", "1.2.3", "256.1.1.1", "fe80::1%eth0", "0x7f.1", "é",
    ", ".join(["198.51.100.1"] * 60),
]


@schemathesis.hook
def before_call(context, case, kwargs):
    headers = dict(case.headers or {})
    if random.random() < 0.5:
        headers["Origin"] = random.choice([PAGE, *OTHER_PAGES])
    if random.random() < 0.5:
        headers["X-Forwarded-For"] = random.choice(
            [*FORWARDED, f"10.{random.randrange(256)}.{random.randrange(256)}.1"])
    case.headers = headers


@schemathesis.check
def pages(context, response, case):
    """Scripts of the allowed page may read the answer, those of others may not."""
    origin = response.request.headers.get("Origin")
    expected = [PAGE] if origin == PAGE else None
    assert response.headers.get("access-control-allow-origin") == expected, f"for the origin {origin!r}"
    assert any("origin" in value.lower() for value in response.headers.get("vary", [])), "caches need Vary: Origin"

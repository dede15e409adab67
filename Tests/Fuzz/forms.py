"""Sends thousands of mutated forms to the pages of a temporary server, and some that no page has.

usage: forms.py SERVER [FORMS [SEED]]   (the program pouch-server; by default 3500 forms of seed 1)

Fails if the server ends, closes a connection without an answer, or answers with a status from 500. While it says that it is
overloaded, as on a busy machine, the same form is sent again. The same seed sends the same forms, as far as the pages are the
same.
"""

import html.parser
import http.client
import random
import re
import sys
import time
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Web"))

from shop_server import OWNER, PASSWORD, PATIENCE, Shop  # noqa: E402
import tool  # noqa: E402

# Each of them signs in and gets to the forms on the pages that it may see.
ROLES = ["manager", "support", "read only"]
CUSTOMER = "carla@example.com"
# What says that the server is overloaded: on a page of the shop, on one of the administration, and in JSON.
OVERLOADED = ["The shop is very busy at the moment", "The server is overloaded", '"code":"overloaded"']
# They end the session, or take away the account of another visitor.
ENDINGS = re.compile(r"/sign-out$|/sign-(in|up)|/data/delete$|/account/sessions|/staff/.+/(role|remove)$")
NUMBERS = [
    "0", "1", "3", "4", "-1", "007", "+1", "0x10", "101", "501", "1e9", "2147483648", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "99999999999999999999999", "1e400", "NaN", "1,5", "1.234.567,89", "٣",
]
TEXTS = [
    *NUMBERS, "", " ", "\t", "\r\n", "\0", "a\0b", "x" * 300, "y" * 70_000, "é" * 255, "e" + "\u0301" * 500, "🦘" * 50,
    "<script>", '"><b>', "{{x}}", "true", "null", "[]", '{"a":1}', "../..", "%", "%00", "a;b", "a=b&c", "\ufeff", "\u202e",
    "2027-02-30T25:61", "0001-01-01T00:00", "9999-12-31T23:59:59", "2027-01-31T09:30", "ann@example.com", "@", "EUR",
    "draft", "published", "tok_ok", "tok_declined", "kangaroo", "standard", "AU", "XX", "owner", "http://[::1", "https://x:99999/",
]
TYPES = ["int", "money", "percent", "flag", "time", "lines", "list", "text", "odd"]
# Lists of the forms, with one of the fields of their items.
LISTS = [
    ("options", "name"), ("options", "values:lines"), ("variants", "price:money"), ("variants", "options.0"),
    ("variants", "sku"), ("images", "url"), ("images", "place:int"), ("items", "product"), ("items", "place:int"),
    ("lines", "quantity:int"), ("ids", ""), ("scopes", ""),
]
QUERIES = ["q", "cursor", "limit", "low", "threshold", "sku", "from", "until", "status", "category", "lang", "next", "sort",
           "minPrice", "maxPrice", "option.Size", "order", "ride", "fragment", "actor", "object"]


class Forms(html.parser.HTMLParser):
    """The POST forms of a page, and its links."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.links, self.select, self.area = [], [], None, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        name, form = values.get("name"), self.forms[-1] if self.forms else None
        if tag == "a":
            self.links.append(values.get("href", ""))
        elif tag == "form":
            self.forms.append({"method": values.get("method", "get"), "action": values.get("action", ""),
                               "type": values.get("enctype", ""), "fields": []})
        elif form and name and tag in ("input", "button"):
            # Of the choices of a group each may be sent, also all of them.
            form["fields"].append((name, values.get("value", "")))
        elif form and name and tag == "select":
            self.select = name
        elif form and tag == "option" and self.select and "selected" in values:
            form["fields"].append((self.select, values.get("value", "")))
        elif form and name and tag == "textarea":
            self.area = name
            form["fields"].append((name, ""))

    def handle_endtag(self, tag):
        if tag == "select":
            self.select = None
        if tag == "textarea":
            self.area = None

    def handle_data(self, data):
        if self.area:
            self.forms[-1]["fields"][-1] = (self.area, data)


class Browser:
    """A visitor with cookies, whose requests seem to come from many networks, so that no limit refuses them."""

    def __init__(self, shop, chance):
        self.address, self.chance, self.cookies = urllib.parse.urlsplit(shop.site).netloc, chance, {}

    def send(self, method, path, body=None, kind="application/x-www-form-urlencoded"):
        """Returns the status, the place of a redirect, and the text."""
        network = ".".join(str(self.chance.randrange(1, 255)) for _ in range(3))
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), "Accept": "text/html",
                   "Sec-Fetch-Site": "same-origin", "X-Forwarded-For": f"{network}.1"}
        if body is not None:
            headers["Content-Type"] = kind
        end = time.monotonic() + PATIENCE
        while True:
            answer, text = self.answer(method, path, body, headers)
            if answer.status != 503 or time.monotonic() > end or not any(sign in text for sign in OVERLOADED):
                break
            time.sleep(1)
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        assert answer.status < 500, f"{answer.status}: {text[:500]}"
        return answer.status, answer.headers.get("Location"), text

    def answer(self, method, path, body, headers):
        """Sends a request on a new connection: the server may end one that was idle, or whose last body it did not want."""
        connection = http.client.HTTPConnection(self.address, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer, answer.read().decode(errors="replace")
        except (http.client.HTTPException, OSError) as error:
            raise AssertionError(f"no answer: {error!r}") from None
        finally:
            connection.close()

    def signs_in(self, page, address):
        form = Forms(self.send("GET", page)[2]).forms[-1]
        fields = {**dict(form["fields"]), "email": address, "password": PASSWORD}
        status, place, text = self.send("POST", page, urllib.parse.urlencode(fields))
        assert status == 303, f"{address} cannot sign in: {status} {text[-2000:]}"
        return self

    def forms(self, starts, area, pages=70):
        """The forms of the pages that links below a path lead to, one of each kind of address."""
        waiting, seen, found = list(starts), set(), {}
        while waiting and pages:
            path = waiting.pop(0)
            shape = re.sub(r"[a-z]{3}_\w+|(?<=/product/).*|(?<=/variants/).*|\?.*", "*", path)
            if shape in seen:
                continue
            seen.add(shape)
            pages -= 1
            status, place, text = self.send("GET", path)
            page = Forms(text if status == 200 and "<html" in text else "")
            waiting += [place] if place else []
            waiting += [link.split("#")[0] for link in page.links if link.startswith(area) and not link.startswith(("//", "/docs"))]
            for form in page.forms:
                if form["method"] == "post":
                    form["page"] = path
                    found.setdefault(re.sub(r"[a-z]{3}_\w+|(?<=/variants/).*|(?<=/lines/).*?(?=/|$)|\?.*", "*", form["action"]), form)
        return list(found.values())


class Mutation:
    """Makes the fields of a form wrong in a few of many ways."""

    def __init__(self, chance):
        self.chance = chance

    def form(self, fields):
        fields = [(name, value) for name, value in fields if name != "csrf" and "tok_" not in value]
        for _ in range(self.chance.choice([1, 1, 2, 3, 6])):
            fields = self.chance.choice(
                [self.drop, self.value, self.value, self.value, self.number, self.type, self.rows, self.rows, self.twice,
                 self.unknown, self.shuffle])(fields)
        return fields

    def changed(self, fields, change):
        if not fields:
            return fields
        place = self.chance.randrange(len(fields))
        return fields[:place] + [change(*fields[place])] + fields[place + 1:]

    def drop(self, fields):
        return [field for field in fields if self.chance.random() < 0.7]

    def value(self, fields):
        return self.changed(fields, lambda name, _: (name, self.chance.choice(TEXTS)))

    def number(self, fields):
        """Another index of a list, or an index where there was none."""
        return self.changed(fields, lambda name, value: (
            re.sub(r"(?<=\.)\d+", lambda _: self.chance.choice(NUMBERS), name) if re.search(r"\.\d", name)
            else name + "." + self.chance.choice(NUMBERS), value))

    def type(self, fields):
        return self.changed(fields, lambda name, value: (
            re.sub(r"[:?!].*", "", name) + self.chance.choice(["", "?", "!"]) + ":" + self.chance.choice(TYPES), value))

    def rows(self, fields):
        """Many items of a list, with numbers in a row or odd ones."""
        name, part = self.chance.choice(LISTS)
        count = self.chance.choice([1, 2, 4, 5, 20, 101, 505])
        numbers = [str(number) for number in range(count)] if self.chance.random() < 0.7 else self.chance.choices(NUMBERS, k=count)
        end = "." + part if part else ""
        return fields + [(f"{name}.{number}{end}", self.chance.choice(TEXTS[:40] if count < 20 else NUMBERS)) for number in numbers]

    def twice(self, fields):
        return fields + self.chance.choices(fields, k=self.chance.choice([1, 3, 200])) if fields else fields

    def unknown(self, fields):
        names = ["x", "", ".", "a.b.c.d.e.f.g", "name", "name.0", "0", ":int", "?", "variants", "variants.", "n" * 300, "remove",
                 "shown", "mine", "take.name", "version", "seen", "expectedTotal:money", "product", "key", "confirm.password"]
        return fields + [(self.chance.choice(names), self.chance.choice(TEXTS))]

    def shuffle(self, fields):
        return self.chance.sample(fields, len(fields))

    def body(self, form, fields):
        """The bytes of the request, and their type."""
        if form["type"] == "multipart/form-data" or self.chance.random() < 0.05:
            boundary = self.chance.choice(["edge", "edge", "edge", "x" * 80, "--", ""])
            parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields]
            file = self.chance.choice(["", "Handle,Title,Variant Price\nx,y,1\n", "\x89PNG", "x" * 5_000])
            head = f'--{boundary}\r\nContent-Disposition: form-data; name="{self.chance.choice(["picture", "file", "feed"])}"; filename="a"'
            text = "".join(parts) + head + f"\r\n\r\n{file}\r\n" + f"--{boundary}--\r\n" * self.chance.choice([0, 1, 1, 1])
            return text.encode(errors="replace"), f"multipart/form-data; boundary={boundary}"
        body = urllib.parse.urlencode(fields, errors="replace").encode()
        if self.chance.random() < 0.03:
            place = self.chance.randrange(len(body) + 1)
            body = body[:place] + self.chance.choice([b"%", b"%zz", b"\xff\xfe", b"&" * 6_000, b"\0"]) + body[place:]
        return body, "application/x-www-form-urlencoded"

    def query(self, path):
        items = [(self.chance.choice(QUERIES), self.chance.choice(TEXTS[:60])) for _ in range(self.chance.randrange(1, 4))]
        return path.split("?")[0] + "?" + urllib.parse.urlencode(items, errors="replace")


def actors(shop, chance):
    """The browsers of everyone who may be in the shop, with the forms that each sees."""
    shop.add_customer(CUSTOMER)
    for role in ROLES:
        address = f"{role.split()[0]}@example.com"
        shop.run([shop.program, "admin", "create", "--role", role, "--email", address, "--name", role], PASSWORD)
    product = shop.add_product("Fuzz hat", stock=1_000_000)
    public = ["/", "/product/spruce-jumper", "/cart", "/checkout", "/orders", "/sign-in", "/sign-up", "/reset-password/request"]
    account = ["/account", "/account/addresses/new", "/account/data"]
    staff = ["/admin", "/admin/products/new", f"/admin/products/{product['id']}", "/admin/discounts/new"]
    for name in ["a guest", CUSTOMER, OWNER] + [f"{role.split()[0]}@example.com" for role in ROLES]:
        browser, starts, area = Browser(shop, chance), public, "/"
        if name == CUSTOMER:
            browser.signs_in("/sign-in", name)
            starts = public + account
        elif name != "a guest":
            browser.signs_in("/admin/sign-in", name)
            starts, area = staff, "/admin"
        if area == "/":
            # Something in the cart opens the checkout.
            page = Forms(browser.send("GET", "/product/spruce-jumper")[2])
            form = next(form for form in page.forms if form["action"] == "/cart/lines")
            browser.send("POST", "/cart/lines", urllib.parse.urlencode(form["fields"]))
        yield name, browser, browser.forms(starts, area)


def run(shop, count, seed):
    chance = random.Random(seed)
    mutation = Mutation(chance)
    everyone = list(actors(shop, chance))
    sent, statuses = 0, {}
    for number in range(count):
        name, browser, forms = everyone[number % len(everyone)]
        form = chance.choice(forms)
        if ENDINGS.search(form["action"]) and chance.random() < 0.9:
            continue
        if chance.random() < 0.1:
            what, request = "GET", (mutation.query(form["page"]), None, "")
        else:
            fields = mutation.form(form["fields"])
            token = browser.cookies.get("pouch_form", "")
            # Those that end something are sent with a token of another visitor.
            if not ENDINGS.search(form["action"]) and chance.random() < 0.97:
                fields.insert(0, ("csrf", token))
            what, request = "POST", (form["action"], *mutation.body(form, fields))
        try:
            status, _, _ = browser.send(what, *request)
        except AssertionError as problem:
            code = shop.process.poll()
            log = "".join(line for line in open(shop.log.name, errors="replace") if re.search("rror|failure| in .* at /", line))[-3_000:]
            body = (request[1] or b"")[:4_000]
            sys.exit(f"Form {number} of seed {seed}, by {name}: {problem}\n{what} {request[0]}\n{body}\n"
                     + (f"The server has ended with {code}.\n" if code is not None else "") + log)
        sent += 1
        statuses[status] = statuses.get(status, 0) + 1
    assert shop.process.poll() is None, "The server has ended."
    shown = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
    print(f"{sent} requests with {sum(len(forms) for _, _, forms in everyone)} forms of {len(everyone)} visitors: {shown}.")


def main(program, count=3_500, seed=1):
    start = time.monotonic()
    with Shop(program, "--trusted-proxies", "127.0.0.1") as shop:
        run(shop, count, seed)
    print(f"Sent for {time.monotonic() - start:.0f} s.")


if __name__ == "__main__":
    program, *numbers = tool.words(__doc__, 1, 3)
    main(program, *tool.numbers(numbers))

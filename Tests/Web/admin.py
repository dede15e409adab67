"""What a merchant sets up in the browser: prices, webhooks, staff and keys; the audit log, and files in and out."""

import json
import queue
import re

from playwright.sync_api import expect

from shop_server import OWNER, PASSWORD, PATIENCE, LoopbackServer, QuietHandler
from visitor import Visitor

CSV = """Handle,Title,Body (HTML),Type,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price
imported-cosy,Imported Cosy,<p>From a file.</p>,Tea cosies,true,Colour,Red,IC-RED,4,19.00
imported-cosy,,,,,,Green,IC-GREEN,6,19.00
,Without a handle,,Tea cosies,true,,,NO-HANDLE,1,1.00
"""


class Receiver(LoopbackServer):
    """A web server of another system, which queues the events that it gets. Stops at the end of the block."""

    def __init__(self):
        self.events = events = queue.Queue()

        class Handler(QuietHandler):
            def do_POST(self):
                events.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

        super().__init__(Handler)
        self.address = f"{self.site}/pouch"


def discount_and_price(browser, shop):
    """A code, and a price for some days, which the shop shows at once."""
    product = shop.add_product("Priced Cosy", stock=5, price=3000)
    sku = product["variants"][0]["sku"]
    with Visitor(browser, shop) as olive:
        olive.signs_in_as_staff(OWNER).opens("/admin/discounts").checks().follows("New discount").checks()
        olive.fills(f__code="COSY20")
        olive.tab.locator("[name=kind][value=percentage]").check()
        olive.tab.locator("[name^=basisPoints]").fill("20")
        olive.fills(f__limit="5").tab.locator(".admin-actions [type=submit]").click()
        olive.sees("/admin/discounts(/[^/]+)?").opens("/admin/discounts").checks()
        expect(olive.tab.locator("main table")).to_contain_text("COSY20")
        with Visitor(browser, shop) as guest:
            guest.opens(f"/product/{product['handle']}").tab.click("form[data-buy] button[type=submit]")
            guest.sees("/cart").tab.click("summary:has-text('Add a discount code')")
            guest.fills(code="cosy20").clicks("Apply")
            expect(guest.tab.locator("[aria-labelledby=sum]")).to_contain_text("6.00")
        olive.opens("/admin/prices").checks().fills(
            f__sku=sku, f__price="25.00", f__startsAt="2026-01-01T00:00", f__endsAt="2099-01-01T00:00")
        olive.clicks("Schedule")
        expect(olive.tab.locator("main table")).to_contain_text(sku)
        olive.checks()
        with Visitor(browser, shop) as guest:
            guest.opens(f"/product/{product['handle']}")
            expect(guest.tab.locator("p[data-price]")).to_contain_text("25.00")
            expect(guest.tab.locator("p[data-price] del")).to_contain_text("30.00")
        # An end before the start is refused, and what was typed stays.
        olive.fills(f__sku=sku, f__price="20.00", f__startsAt="2099-03-01T00:00", f__endsAt="2099-02-01T00:00")
        with olive.refused(409, 422):
            olive.clicks("Schedule")
        assert olive.alert() and olive.tab.locator("#f-price").input_value() == "20.00"
        olive.checks()


def webhook(browser, shop):
    """A webhook is created, gets an event, and gets it again when a button is clicked."""
    with Receiver() as receiver, Visitor(browser, shop) as olive:
        olive.signs_in_as_staff(OWNER).opens("/admin/webhooks").checks()
        olive.fills(f__url=receiver.address, f__description="Books").clicks("Add webhook")
        expect(olive.tab.locator("#secret-value")).to_contain_text("whsec_")
        olive.checks()
        shop.add_product("Announced Cosy")
        sent = [receiver.events.get(timeout=PATIENCE) for _ in range(2)]
        assert {event["type"] for event in sent} == {"product.created", "product.published"}, sent
        olive.opens("/admin/webhooks").tab.locator("main [data-row]").first.click()
        olive.sees("/admin/webhooks/[^/]+").checks()
        expect(olive.tab.locator("main .admin-log")).to_contain_text("product.published")
        olive.tab.locator("main .admin-log button").first.click()
        again = receiver.events.get(timeout=PATIENCE)
        assert again["id"] in [event["id"] for event in sent], (sent, again)
        olive.sees("/admin/webhooks/[^/]+")
        # The secret is shown once.
        assert "whsec_" not in olive.tab.content()
        olive.clicks("Switch off")
        expect(olive.tab.get_by_role("button", name="Switch on", exact=True)).to_be_visible()


def staff_and_keys(browser, shop):
    """A member joins by the link of a mail and sees what the role allows; a key works until it is revoked."""
    with Visitor(browser, shop) as olive:
        olive.signs_in_as_staff(OWNER).opens("/admin/staff").checks()
        olive.fills(f__email="sid@example.com").tab.locator("[name=role][value=support]").check()
        olive.clicks("Send invitation")
        expect(olive.tab.locator("main table")).to_contain_text("sid@example.com")
        with Visitor(browser, shop) as sid:
            sid.tab.goto(shop.link("sid@example.com", "You are invited"))
            sid.sees("/join-staff").checks()
            sid.fills(name="Sid Support", password=PASSWORD).clicks("Accept invitation")
            sid.sees("/admin(/sign-in)?|/sign-in|/account|/")
            sid.signs_in_as_staff("sid@example.com").checks()
            links = sid.tab.locator(".admin-nav a").all_inner_texts()
            assert any("Orders" in link for link in links) and "Staff" not in links, links
            with sid.refused(403):
                sid.tab.goto("/admin/staff")
            sid.checks()
        olive.opens("/admin/keys").checks().fills(f__name="Warehouse")
        olive.tab.locator("fieldset label:has-text('read_orders') input, fieldset input[value*='orders']").first.check()
        olive.clicks("Create key")
        key = olive.tab.locator("#secret-value").inner_text()
        olive.checks()
        shop.tokens["warehouse"] = key
        shop.call("GET", "/v1/admin/orders", user="warehouse")
        olive.opens("/admin/keys")
        assert key not in olive.tab.content(), "The secret of the key is shown again."
        olive.tab.locator("form[action$='/revoke'] button").first.click()
        expect(olive.tab.locator("form[action$='/revoke']")).to_have_count(0)
        olive.opens("/admin/audit").checks()
        log = olive.tab.locator("main .admin-log").inner_text()
        assert "Olive Owner" in log or OWNER in log, log
        olive.tab.locator("main .admin-log summary").first.click()
        olive.checks()


def files(browser, shop):
    """A CSV is tried, then imported, with its wrong row reported; lists come back as files."""
    upload = {"name": "cosies.csv", "mimeType": "text/csv", "buffer": CSV.encode()}
    with Visitor(browser, shop) as olive:
        olive.signs_in_as_staff(OWNER).opens("/admin/import").checks()
        for is_try in (True, False):
            olive.opens("/admin/import").tab.locator("#f-file").set_input_files(upload)
            olive.tab.locator(f"[name=dryRun][value={str(is_try).lower()}]").check()
            olive.clicks("Upload file").sees("/admin/import/[^/]+")
            # The report follows the import by itself.
            expect(olive.tab.locator("#import-report")).not_to_have_attribute("data-follow", re.compile("."))
            expect(olive.tab.locator("#import-report")).to_contain_text("4")
            expect(olive.tab.locator("#import-report table")).to_be_visible()
            olive.checks()
            olive.opens("/admin/products?q=imported-cosy")
            assert olive.tab.locator("main [data-row]").count() == int(not is_try)
        for path, text in (
                ("products", "imported-cosy"), ("stock", "IC-GREEN"), ("customers", "E-mail"), ("orders", "guest@")):
            olive.opens(f"/admin/{path}")
            with olive.tab.expect_download() as download:
                olive.follows("Export as CSV")
            content = download.value.path().read_text()
            assert text in content, f"{path}: {content[:300]}"


"""Takes the pictures of the shop's pages for the documentation, from a demo shop of its own.

usage: screenshots.py SERVER FOLDER    (the program pouch-server; the folder for the pictures)
"""

import sys
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from passenger import chromium
from shop_server import OWNER, Shop
from shopping import chooses_delivery, goes_to_checkout, pays, puts_into_cart
from visitor import Visitor

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tool  # noqa: E402

BOUGHT = ["spruce-jumper", "pinecone-hat", "samphire-cardigan", "fireside-blanket", "midnight-scarf", "trapper-socks"]
PEOPLE = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Mary Somerville", "Annie Easley", "Edith Clarke"]


class Camera:
    """Takes pictures of a visitor's tab into a folder, each of moderate size."""

    def __init__(self, visitor, folder):
        self.visitor, self.folder = visitor, folder

    def takes(self, name, path=None, dark=False):
        tab = self.visitor.tab
        tab.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        if path:
            self.visitor.opens(path)
        tab.wait_for_load_state("networkidle")
        # Neither a focus nor a notice of the step before.
        tab.evaluate("document.activeElement.blur(), scrollTo(0, 0)")
        file = self.folder / f"{name}{'-dark' * dark}.jpg"
        tab.screenshot(path=file, type="jpeg", quality=82)
        print(f"{file.stat().st_size / 1000:5.0f} kB  {file.name}", flush=True)


def sells(browser, shop):
    """Some orders, so that the administration has something to show."""
    for number, (name, product) in enumerate(zip(PEOPLE, BOUGHT)):
        email = name.lower().replace(" ", ".") + "@example.com"
        with Visitor(browser, shop) as buyer:
            puts_into_cart(buyer, product, 1 + (number < 2))
            address = {"address__name": name, "address__country": "DE", "address__line1": f"Gartenstraße {number + 1}",
                       "address__postalCode": "10115", "address__city": "Berlin"}
            pays(goes_to_checkout(buyer, email, address))


def shop_pictures(browser, shop, folder):
    with Visitor(browser, shop) as johnny:
        camera = Camera(johnny, folder)
        for dark in (False, True):
            camera.takes("shop-home", "/", dark)
        camera.takes("shop-list", "/category/jumpers")
        for dark in (False, True):
            camera.takes("shop-product", "/product/spruce-jumper", dark)
        johnny.tab.emulate_media(color_scheme="light")
        johnny.signs_in("johnny@gmail.com", "password")
        puts_into_cart(johnny, "spruce-jumper")
        puts_into_cart(johnny, "pinecone-hat", 2)
        camera.takes("shop-cart", "/cart")
        johnny.opens("/checkout").fills(
            address__name="Johnny", address__country="AU", address__line1="1 Campbell Parade",
            address__postalCode="2026", address__city="Bondi Beach")
        with johnny.tab.expect_response("**/checkout/shipping"):
            johnny.fills(place="Bondi Beach")
        chooses_delivery(johnny, "kangaroo")
        camera.takes("shop-checkout")
        pays(johnny)
        expect(johnny.tab.locator("[data-courier]")).to_be_attached()
        start = johnny.tab.locator("[data-courier]").get_attribute("transform")
        expect(johnny.tab.locator("[data-courier]")).not_to_have_attribute("transform", start)
        camera.takes("shop-order")
    with Visitor(browser, shop, width=390) as ann:
        Camera(ann, folder).takes("shop-phone", "/product/spruce-jumper")
        Camera(ann, folder).takes("docs-phone", "/docs")
    with Visitor(browser, shop) as ann:
        Camera(ann, folder).takes("docs", "/docs/cart")


def admin_pictures(browser, shop, folder):
    with Visitor(browser, shop, height=900) as olive:
        camera = Camera(olive, folder)
        olive.signs_in_as_staff(OWNER)
        for dark in (False, True):
            camera.takes("admin-today", "/admin", dark)
        camera.takes("admin-orders", "/admin/orders")
        order = shop.orders()[1]
        camera.takes("admin-order", f"/admin/orders/{order['id']}")
        product = shop.call("GET", "/v1/admin/products?q=spruce-jumper")["items"][0]
        camera.takes("admin-product", f"/admin/products/{product['id']}")


def main(program, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # A kangaroo that is slow enough to be seen.
    with Shop(program, city_speed=20) as shop, sync_playwright() as playwright:
        browser = chromium(playwright)
        sells(browser, shop)
        shop_pictures(browser, shop, folder)
        admin_pictures(browser, shop, folder)
        browser.close()


if __name__ == "__main__":
    main(*tool.words(__doc__, 2, 2))

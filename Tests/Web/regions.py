"""Addresses on which the total depends, in the browser."""

from playwright.sync_api import expect

from shop_server import Shop
from shopping import chooses_card, puts_into_cart, PAY, ORDER
from visitor import Visitor

SETTINGS = """
currency: EUR
country: US
taxes:
  pricesIncludeTax: false
  regions:
    - {country: US, region: California, rate: 9.5}
shipping:
  - {id: standard, name: Standard, estimate: soon, regions: [{rates: [{price: 4.90}]}]}
"""
TOTAL = "#summary dd.is-total"


def state_decides_on_the_total(browser, program, folder):
    """The state is chosen from a list, the total follows, and the order has that total."""
    file = folder / "regions.yaml"
    file.write_text(SETTINGS)
    with Shop(program, "--shop", str(file), demo=False, name="Bay Wool") as shop:
        shop.add_product("Scarf", price=2000)
        with Visitor(browser, shop, 1280, 780) as ann:
            puts_into_cart(ann, "scarf").opens("/checkout")
            ann.fills(
                email="ann@example.com", address__name="Ann", address__line1="1 Rodeo Drive", address__postalCode="90210",
                address__city="Beverly Hills")
            region = ann.tab.locator("#address-region")
            total = ann.tab.locator(TOTAL)
            expect(total).to_have_text("€24.90")
            ann.tab.click(PAY)
            # The browser asks for the state.
            assert ann.tab.url.endswith("/checkout"), ann.tab.url
            region.select_option("California")
            expect(total).to_have_text("€27.27")
            region.select_option("Nevada")
            expect(total).to_have_text("€24.90")
            # Germany has no list, and the entries stay.
            ann.tab.locator("#address-country").select_option("DE")
            expect(ann.tab.locator("input#address-region")).to_be_visible()
            expect(ann.tab.locator("#address-city")).to_have_value("Beverly Hills")
            ann.tab.locator("#address-country").select_option("US")
            expect(ann.tab.locator("select#address-region")).to_be_visible()
            region.select_option("California")
            expect(total).to_have_text("€27.27")
            chooses_card(ann).tab.click(PAY)
            ann.sees(ORDER)
            expect(ann.tab.locator("[aria-labelledby=sum] dd.is-total")).to_have_text("€27.27")

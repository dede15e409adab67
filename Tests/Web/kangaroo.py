"""Delivery by kangaroo, which the page of the order shows live."""

from playwright.sync_api import expect

from shop_server import PATIENCE, wait_for
from shopping import ANN, chooses_delivery, pays, puts_into_cart
from visitor import Visitor

# Waits until the courier has been at so many spots. One may turn back, and another then comes.
SPOTS = """async (wanted) => {
    const spots = new Set(), end = performance.now() + PATIENCE;
    while (performance.now() < end && spots.size < wanted) {
        const courier = document.querySelector("[data-courier]");
        if (courier) spots.add(courier.getAttribute("transform"));
        await new Promise(requestAnimationFrame);
    }
    return spots.size; }""".replace("PATIENCE", f"{PATIENCE * 1_000}")


def delivers_by_kangaroo(browser, shop):
    """Johnny follows a kangaroo on the map, and the page changes by itself when it has arrived."""
    with Visitor(browser, shop) as johnny:
        johnny.signs_in("johnny@gmail.com", "password")
        puts_into_cart(johnny, "spruce-jumper").opens("/checkout").checks()
        sydney = {"address__name": "Johnny", "address__country": "AU", "address__line1": "Macquarie Street",
                  "address__postalCode": "2000", "address__city": "Sydney"}
        johnny.fills(**{**ANN, **sydney})
        with johnny.tab.expect_response("**/checkout/shipping"):
            johnny.fills(place="Manly Beach")
        chooses_delivery(johnny, "kangaroo")
        pays(johnny)
        expect(johnny.tab.locator("[data-live]")).to_be_attached()
        expect(johnny.tab.locator("[data-courier]")).to_be_attached()
        spots = johnny.tab.evaluate(SPOTS, 3)
        assert spots >= 3, f"The kangaroo was seen at {spots} spots."
        johnny.checks()
        # No reload: the events of the server change the page.
        johnny.tab.evaluate("window.isSamePage = true")
        badge = johnny.tab.locator("h1 + .badge")
        assert badge.text_content().strip() != "Delivered", "The ride has ended before its last part was watched."

        def is_delivered():
            shop.hastens_rides()
            return badge.text_content().strip() == "Delivered"

        wait_for(is_delivered, "The order is not delivered.", pause=0.5)
        assert johnny.tab.evaluate("window.isSamePage"), "The page was loaded again."
        expect(johnny.tab.locator("main > .notice")).to_contain_text("Thank you")
        expect(johnny.tab.locator("[data-live]")).to_have_count(0)
        assert johnny.tab.locator(".steps .is-done").count() >= 3
        johnny.checks()

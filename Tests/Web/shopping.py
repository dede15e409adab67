"""Purchases in the browser: from the search to the order, and what a buyer may meet on the way."""

import re

from playwright.sync_api import expect

from visitor import Visitor

ANN = {
    "address__name": "Ann Example", "address__country": "DE", "address__line1": "Gartenstraße 12",
    "address__postalCode": "10115", "address__city": "Berlin"}
PAY = "form[data-checkout] button[data-busy]"
ORDER = "/orders/[^/]+"


# The steps of a purchase

def puts_into_cart(ann, handle, quantity=1):
    """Puts the variant into the cart that the page of the product proposes."""
    ann.opens(f"/product/{handle}").fills(quantity=str(quantity))
    ann.tab.click("form[data-buy] button[type=submit]")
    return ann.sees("/cart")


def goes_to_checkout(ann, email="ann@example.com", address=ANN):
    """Fills the form of the checkout, and waits until it knows the delivery and its price."""
    ann.opens("/checkout").fills(email=email)
    if ann.tab.locator("#address-line1").is_visible():
        ann.fills(**address)
    return chooses_delivery(ann, "standard")


def chooses_delivery(ann, method):
    option = ann.tab.locator(f"[name='shipping.methodId'][value={method}]")
    if ann.has_script:
        # What was typed last counts once its field is left.
        with ann.tab.expect_response("**/checkout/shipping"):
            ann.tab.locator("#email").focus()
            ann.tab.locator("#address-postalCode").dispatch_event("change")
        expect(option).to_be_attached()
        if not option.is_checked():
            with ann.tab.expect_response("**/checkout/shipping"):
                option.check()
    else:
        ann.tab.click("[formaction='/checkout/shipping']")
        option.check()
        ann.tab.click("[formaction='/checkout/shipping']")
    expect(option).to_be_checked()
    expect(ann.tab.locator("#summary dl")).to_contain_text("Shipping (")
    return ann


def chooses_card(ann, token="tok_ok"):
    ann.tab.locator(f"[name='paymentMethod.token'][value={token}]").check()
    return ann


def pays(ann, token="tok_ok"):
    chooses_card(ann, token).tab.click(PAY)
    ann.sees(ORDER)
    expect(ann.tab.locator("h1")).to_contain_text("Order")
    return ann


def total(ann):
    return ann.tab.locator("#summary dd.is-total, [aria-labelledby=sum] dd.is-total").first.inner_text()


def orders_of(shop, email):
    return shop.orders(q=email)


# Tests

def buys_as_guest(browser, shop, width):
    """From the front page to the order with the mouse, with every page checked."""
    email = f"guest-{width}@example.com"
    with Visitor(browser, shop, width, 780, axe=width != 390, has_touch=width < 600) as ann:
        ann.opens("/").checks()
        ann.tab.locator(".product-card a, .category-grid a").first.click()
        ann.tab.wait_for_url(re.compile("/(product|category)/"))
        ann.opens("/category/jumpers").checks()
        ann.tab.locator(".product-card a[href$='/product/cinder-jumper']").first.click()
        ann.tab.wait_for_url("**/product/cinder-jumper")
        ann.checks().fills(quantity="2")
        ann.tab.click("form[data-buy] button[type=submit]")
        ann.sees("/cart").checks()
        expect(ann.tab.locator("[data-cart] .count")).to_have_text("2")
        with ann.tab.expect_response("**/cart/lines/**"):
            ann.tab.locator("[data-quantity] [type=number]").fill("3")
        expect(ann.tab.locator("[data-cart] .count")).to_have_text("3")
        ann.follows("Go to checkout").sees("/checkout").checks()
        goes_to_checkout(ann, email).checks()
        price = total(ann)
        pays(ann).checks()
        assert total(ann) == price, "The order costs something else than the checkout said."
        orders = orders_of(shop, email)
        assert [order["status"] for order in orders] == ["paid"], orders
        # The cart is empty after the order.
        ann.opens("/cart").checks()
        assert ann.tab.locator("main .line").count() == 0
        # A guest has no menu, and so no column for it.
        ann.opens("/orders").checks()
        assert ann.tab.locator("main .rows").bounding_box()["width"] > width / 2
        # The link of the mail shows the order in another browser.
        link = shop.link(email, "Thank you for your order")
        with Visitor(browser, shop, width=width) as other:
            other.tab.goto(link)
            other.sees(ORDER).checks()
            assert "#" not in other.tab.url and orders[0]["number"] in other.heading()


def buys_as_customer(browser, shop, width):
    """With an address that is saved, and chosen the next time."""
    email = f"customer-{width}@example.com"
    shop.add_customer(email)
    with Visitor(browser, shop, width, axe=width != 390) as ann:
        puts_into_cart(ann, "spruce-jumper")
        # The cart of a guest comes along.
        ann.signs_in(email).opens("/cart")
        assert ann.tab.locator("main .line").count() == 1
        goes_to_checkout(ann, email)
        ann.tab.locator("[name='saveAddress:flag']").check()
        pays(ann).checks().opens("/orders").checks()
        assert ann.tab.locator("main .rows > li").count() == 1
        puts_into_cart(ann, "pinecone-hat").opens("/checkout")
        saved = ann.tab.locator("[data-saved]")
        assert saved.count() == 1, "The address was not saved."
        expect(saved).to_be_checked()
        expect(ann.tab.locator("#address-line1")).to_be_hidden()
        ann.checks()
        chooses_delivery(ann, "express")
        pays(ann).opens("/orders")
        assert ann.tab.locator("main .rows > li").count() == 2


def without_script(browser, shop):
    """Forms and links alone: filters, the cart, a discount, the checkout and the order."""
    with Visitor(browser, shop, width=390, java_script_enabled=False) as ann:
        ann.opens("/products").checks()
        ann.tab.locator("[name=sort]").select_option("priceAscending")
        ann.tab.locator("[name=inStock]").check()
        ann.tab.click(".filters > [data-without-script]")
        ann.tab.wait_for_url("**sort=priceAscending**")
        ann.tab.locator("#search").fill("cardigan")
        ann.tab.locator("#search").press("Enter")
        ann.tab.wait_for_url("**/search?q=cardigan")
        ann.tab.locator(".product-card a[href$='/product/hearth-cardigan']").first.click()
        ann.tab.wait_for_url("**/product/hearth-cardigan")
        # Without options that a script combines, each variant is a choice.
        ann.tab.locator("[data-variants] input:enabled").last.check()
        ann.tab.click("form[data-buy] button[type=submit]")
        ann.sees("/cart").checks()
        ann.tab.locator("[data-quantity] [type=number]").fill("2")
        ann.tab.click("[data-quantity] button")
        ann.sees("/cart")
        expect(ann.tab.locator("[data-cart] .count")).to_have_text("2")
        ann.opens("/checkout").checks().fills(email="noscript@example.com", **ANN)
        chooses_delivery(ann, "standard")
        pays(ann).checks()
        assert len(orders_of(shop, "noscript@example.com")) == 1


def changes_quantities(browser, shop):
    """Two numbers that are typed one right after the other both count, and neither is lost from the page."""
    mittens = shop.add_product("Many Mittens", stock=9, category="gloves")
    with Visitor(browser, shop) as ann:
        puts_into_cart(ann, mittens["handle"])
        puts_into_cart(ann, "spruce-jumper")
        numbers = ann.tab.locator("[data-quantity] [type=number]")
        expect(numbers).to_have_count(2)
        numbers.nth(0).fill("2")
        numbers.nth(1).fill("3")
        for _ in ("as the script leaves it", "as it is stored"):
            expect(ann.tab.locator("[data-cart] .count")).to_have_text("5")
            expect(numbers.nth(0)).to_have_value("2")
            expect(numbers.nth(1)).to_have_value("3")
            ann.opens("/cart")
        # A number that is selected while the answer to another one arrives stays selected.
        numbers.nth(0).fill("4")
        numbers.nth(1).select_text()
        expect(ann.tab.locator("[data-cart] .count")).to_have_text("7")
        ann.tab.keyboard.insert_text("3")
        expect(numbers.nth(1)).to_have_value("3")
        # More than there is leads nowhere, and is not forgotten in silence.
        numbers.nth(0).fill("99")
        ann.follows("Go to checkout").sees("/cart")
        assert numbers.nth(0).evaluate("number => number.matches(':focus:invalid')")
        # The checkout has the number that was typed right before.
        numbers.nth(0).fill("7")
        ann.follows("Go to checkout").sees("/checkout")
        assert "7 × " in ann.tab.locator("#summary").inner_text()


def discount(browser, shop):
    """A code that the shop does not know leaves the price; a good one lowers it, and can be taken away."""
    shop.call("POST", "/v1/admin/discounts", {"code": "WOOL10", "kind": "percentage", "basisPoints": 1000})
    with Visitor(browser, shop) as ann:
        puts_into_cart(ann, "spruce-jumper")
        full = total(ann)
        ann.tab.click("summary:has-text('Add a discount code')")
        with ann.refused(422, 404, 409):
            ann.fills(code="NOTHING").clicks("Apply")
        assert ann.alert() and total(ann) == full
        ann.checks()
        ann.fills(code=" wool10 ").clicks("Apply")
        expect(ann.tab.locator("main")).to_contain_text("WOOL10")
        assert total(ann) != full
        ann.checks()
        goes_to_checkout(ann, "discount@example.com")
        expect(ann.tab.locator("#summary")).to_contain_text("WOOL10")
        pays(ann)
        assert "WOOL10" in ann.tab.locator("main").inner_text()
        puts_into_cart(ann, "spruce-jumper")
        ann.tab.click("summary:has-text('Add a discount code')")
        ann.fills(code="WOOL10").clicks("Apply")
        ann.tab.locator("form[action='/cart/discount/remove'] button").click()
        expect(ann.tab.locator("form[action='/cart/discount']")).to_be_attached()
        assert total(ann) == full


def filters_by_word(browser, shop, width):
    """A click on a choice's label checks its box; a click elsewhere, the focus and Escape close the menu.

    Its menus fit on the page, each with its button.
    """
    with Visitor(browser, shop, width) as ann:
        ann.opens("/products")
        for menu in ann.tab.locator("details.facet").all():
            menu.locator("summary").click()
            expect(menu.get_by_role("button", name="Apply")).to_be_in_viewport(ratio=1)
            ann.checks(axe=False).tab.keyboard.press("Escape")
        menu = ann.tab.locator("details.facet").filter(has_text="Navy")
        summary, body = menu.locator("summary"), menu.locator(".facet-body")
        for close in (
                lambda: ann.tab.locator("h1").click(), lambda: ann.tab.keyboard.press("Escape"),
                lambda: ann.tab.locator("#sort").focus()):
            summary.click()
            # No field is at this point, so the click takes the focus out of the menu.
            body.click(position={"x": 3, "y": 3})
            expect(body).to_be_visible()
            close()
            expect(body).to_be_hidden()
        summary.click()
        body.get_by_text("Navy", exact=True).click()
        expect(body.get_by_label("Navy")).to_be_checked()
        expect(body).to_be_visible()
        body.get_by_role("button", name="Apply").click()
        ann.tab.wait_for_url("**/products?**")
        expect(ann.tab.get_by_role("link", name="Navy")).to_be_visible()


def searches_while_typing(browser, shop):
    """Suggestions that the arrow keys reach, and a page of results."""
    with Visitor(browser, shop) as ann:
        ann.opens("/")
        with ann.tab.expect_response("**/search?fragment=suggestions**"):
            ann.tab.locator("#search").press_sequentially("spruce")
        box = ann.tab.locator("[data-suggestions]")
        expect(box.get_by_role("link").first).to_contain_text("Spruce")
        ann.checks()
        ann.tab.keyboard.press("ArrowDown")
        expect(box.get_by_role("link").first).to_be_focused()
        ann.tab.keyboard.press("Escape")
        expect(box).to_be_hidden()
        expect(ann.tab.locator("#search")).to_be_focused()
        ann.tab.keyboard.press("Enter")
        ann.tab.wait_for_url("**/search?q=spruce")
        assert "Spruce Jumper" in ann.tab.locator("main").inner_text()
        # A search without results still leads on.
        ann.opens("/search?q=zeppelin").checks()
        assert ann.tab.locator("main .product-card").count() == 0 and ann.tab.locator("main .button").count()


def filters_documentation(browser, shop):
    """The filter shows the endpoints that contain all words, or says that there is none."""
    with Visitor(browser, shop) as ann:
        ann.opens("/docs")
        field, found = ann.tab.get_by_label("Filter"), ann.tab.locator(".docs-index li:visible")
        none = ann.tab.get_by_text("No endpoint matches “zzzz”.")
        field.fill("post checkout")
        expect(found.first).to_contain_text("POST")
        expect(none).to_be_hidden()
        field.fill("zzzz")
        expect(found).to_have_count(0)
        expect(none).to_be_visible()
        ann.checks()
        field.fill("")
        expect(none).to_be_hidden()


def reads_documentation(browser, shop):
    """Each endpoint has its request, its errors and its schemas, and the catalogue can be tried."""
    with Visitor(browser, shop) as ann:
        ann.opens("/docs/cart#addCartLine").checks()
        expect(ann.tab.locator("#addCartLine h2")).to_be_in_viewport()
        curl = ann.tab.get_by_label("addCartLine with curl").inner_text()
        assert "-X POST" in curl and '"quantity": 2' in curl and "$TOKEN" in curl, curl
        expect(ann.tab.get_by_label("addCartLine in Swift")).to_contain_text("pouch.cart.")
        ann.tab.locator("#addCartLine").get_by_text("errors").click()
        ann.tab.locator("#addCartLine").get_by_role("link", name="out_of_stock").click()
        ann.sees("/docs/errors").checks()
        expect(ann.tab.locator("#out_of_stock")).to_be_in_viewport()
        ann.tab.locator("#out_of_stock").get_by_role("link", name="addCartLine").click()
        ann.sees("/docs/cart")
        ann.tab.get_by_role("region", name="Body of addCartLine").get_by_role("rowheader", name="sku").wait_for()
        ann.tab.locator("#addCartLine").get_by_role("link", name="Cart", exact=True).click()
        ann.sees("/docs/schemas/Cart").checks()
        expect(ann.tab.get_by_role("row", name="version required integer")).to_contain_text("increases with each change")
        ann.tab.get_by_role("link", name="Response of GET /v1/cart").first.click()
        trial = ann.tab.locator("#cart form")
        trial.get_by_role("button", name="Send").click()
        expect(trial.get_by_role("status")).to_contain_text("GET /v1/cart: 200")
        expect(trial.get_by_role("status")).to_contain_text('"lines": []')


def switches_language(browser, shop):
    """The choice of a language stays, in links of other pages, in prices and in the checkout."""
    with Visitor(browser, shop) as ann:
        ann.opens("/product/spruce-jumper")
        english = ann.tab.locator("form[data-buy] button[type=submit]").inner_text()
        ann.tab.click("footer a[hreflang=de]")
        expect(ann.tab.locator("html")).to_have_attribute("lang", "de")
        ann.sees("/product/spruce-jumper").checks()
        assert ann.tab.locator("form[data-buy] button[type=submit]").inner_text() != english
        assert re.search(r"168,00\s€", ann.tab.locator("p[data-price]").inner_text())
        ann.tab.click("form[data-buy] button[type=submit]")
        ann.sees("/cart").checks()
        for path in ("/", "/sign-in", "/category/hats", "/checkout"):
            ann.opens(path).checks()
            assert ann.tab.get_attribute("html", "lang") == "de", path
        # What was typed stays.
        ann.tab.fill("#email", "ann@example")
        ann.tab.click("footer button[lang=en]")
        expect(ann.tab.locator("html")).to_have_attribute("lang", "en")
        expect(ann.tab.locator("#email")).to_have_value("ann@example")
        ann.checks()
    with Visitor(browser, shop, locale="de-AT") as german:
        assert german.opens("/").tab.get_attribute("html", "lang") == "de"

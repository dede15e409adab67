"""What goes wrong in a purchase: slow networks, double clicks, the back button, other tabs, cards, and empty shelves."""

from playwright.sync_api import expect

from shopping import ORDER, PAY, chooses_card, goes_to_checkout, orders_of, pays, puts_into_cart, total
from visitor import Visitor


def slow_network(browser, shop):
    """The page says that it pays while the answer is on its way, and further clicks do nothing."""
    with Visitor(browser, shop, width=390) as ann:
        network = ann.context.new_cdp_session(ann.tab)
        network.send("Network.enable")
        network.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": 300, "downloadThroughput": 60_000, "uploadThroughput": 30_000})
        puts_into_cart(ann, "pinecone-hat")
        goes_to_checkout(ann, "slow@example.com")
        chooses_card(ann, "tok_slow")
        button = ann.tab.locator(PAY)
        busy = button.get_attribute("data-busy")
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        # Playwright asks an element nothing while a new page is on its way: the page tells by itself.
        seen = []
        ann.tab.expose_function("tell", lambda text: seen.append(text))
        ann.tab.evaluate("""pay => new MutationObserver(() => tell(document.querySelector(pay).textContent))
            .observe(document.body, {childList: true, subtree: true})""", PAY)
        ann.tab.mouse.click(*place)
        ann.tab.mouse.click(*place)
        ann.sees(ORDER).checks()
        assert seen[-1] == busy, seen
        assert len(orders_of(shop, "slow@example.com")) == 1


def pressed_button(browser, shop):
    """A response that arrives while the button is pressed does not take the click away."""
    with Visitor(browser, shop) as ann:
        puts_into_cart(ann, "spruce-jumper")
        chooses_card(goes_to_checkout(ann, "pressed@example.com"))
        held = []
        ann.tab.route("**/checkout/shipping", lambda route: held.append(route))
        with ann.tab.expect_request("**/checkout/shipping"):
            ann.tab.locator("#address-postalCode").dispatch_event("change")
        ann.tab.locator(PAY).hover()
        ann.tab.mouse.down()
        with ann.tab.expect_response("**/checkout/shipping"):
            held[0].continue_()
        # Another response, after which the page has read the first.
        ann.tab.evaluate("fetch('/robots.txt').then(answer => answer.text())")
        ann.tab.mouse.up()
        ann.sees(ORDER)


def double_click(browser, shop):
    """Two clicks make one order: the script sends one form, and without it the server knows the second one."""
    with Visitor(browser, shop) as ann:
        puts_into_cart(ann, "pinecone-hat")
        chooses_card(goes_to_checkout(ann, "double@example.com"))
        sent = []
        ann.context.on("request", lambda request: request.method == "POST" and sent.append(request.url))
        ann.tab.dblclick(PAY)
        ann.sees(ORDER)
        assert len(sent) == 1, sent
        assert len(orders_of(shop, "double@example.com")) == 1
    with Visitor(browser, shop, java_script_enabled=False) as bob:
        puts_into_cart(bob, "pinecone-hat")
        chooses_card(goes_to_checkout(bob, "double-plain@example.com"))
        bob.tab.dblclick(PAY)
        bob.sees(ORDER)
        assert len(orders_of(shop, "double-plain@example.com")) == 1


def two_tabs(browser, shop):
    """Tabs share the cart. What one has bought, the other does not buy again: it shows the order."""
    with Visitor(browser, shop) as ann:
        puts_into_cart(ann, "pinecone-hat")
        chooses_card(goes_to_checkout(ann, "tabs@example.com"))
        first, ann.tab = ann.tab, ann.context.new_page()
        puts_into_cart(ann, "spruce-jumper")
        assert ann.tab.locator("main .line").count() == 2
        # The first tab asks for a total that is no longer right: nothing is charged before the buyer has seen the new one.
        second, ann.tab = ann.tab, first
        first.bring_to_front()
        old = total(ann)
        with ann.refused(409, 422):
            ann.tab.click(PAY)
        assert ann.alert() and not orders_of(shop, "tabs@example.com")
        assert total(ann) != old
        ann.checks()
        ann.tab = second
        second.bring_to_front()
        chooses_card(goes_to_checkout(ann, "tabs@example.com"))
        ann.tab = first
        first.bring_to_front()
        pays(ann)
        ann.tab = second
        second.bring_to_front()
        second.click(PAY)
        ann.sees(ORDER)
        assert ann.heading() == first.locator("h1").inner_text()
        assert len(orders_of(shop, "tabs@example.com")) == 1, "Two tabs bought twice."
        ann.checks()


def back_button(browser, shop):
    """Back from the checkout and from the order: nothing is lost, and nothing is bought twice."""
    with Visitor(browser, shop) as ann:
        puts_into_cart(ann, "pinecone-hat")
        ann.follows("Go to checkout").sees("/checkout")
        ann.fills(email="back@example.com")
        ann.tab.go_back()
        ann.sees("/cart").checks()
        assert ann.tab.locator("main .line").count() == 1
        ann.tab.go_forward()
        ann.sees("/checkout")
        goes_to_checkout(ann, "back@example.com")
        pays(ann)
        ann.tab.go_back()
        ann.tab.wait_for_load_state()
        if ann.tab.locator(PAY).count():
            # The form from before the payment, sent again.
            chooses_card(ann)
            with ann.tab.expect_event("requestfinished", lambda request: request.method == "POST"):
                ann.tab.click(PAY)
            ann.tab.wait_for_load_state()
            ann.forgives("status of 4")
        ann.checks()
        assert len(orders_of(shop, "back@example.com")) == 1, "The back button bought twice."
        ann.opens("/cart")
        assert ann.tab.locator("main .line").count() == 0


# The browser of the tests keeps no pages of its history. So the page stays, a script sends its form, and an event reports
# its return.
SEND_AND_COME_BACK = """async form => {
    await fetch(form.action, {method: "POST", body: new URLSearchParams(new FormData(form))});
    dispatchEvent(new PageTransitionEvent("pageshow", {persisted: true}));
}"""


def page_that_comes_back(browser, shop):
    """A product of a page from the browser's history is added again, and what was typed there stays."""
    with Visitor(browser, shop) as ann:
        ann.opens("/product/spruce-jumper")
        buy = ann.tab.locator("form[data-buy]")
        buy.evaluate(SEND_AND_COME_BACK)
        buy.locator("[type=submit]").click()
        ann.sees("/cart")
        expect(ann.tab.locator("[data-cart] .count")).to_have_text("2")
        ann.opens("/product/spruce-jumper").fills(quantity="3")
        buy.evaluate(SEND_AND_COME_BACK)
        expect(ann.tab.locator("#quantity")).to_have_value("3")


def declined_card(browser, shop):
    """A refused card costs nothing and loses nothing; another one then pays."""
    with Visitor(browser, shop) as ann:
        puts_into_cart(ann, "pinecone-hat")
        goes_to_checkout(ann, "declined@example.com")
        for token in ("tok_declined", "tok_insufficient_funds"):
            chooses_card(ann, token)
            with ann.refused(402, 409, 422):
                ann.tab.click(PAY)
            assert ann.alert(), "The page does not say that the card was declined."
            assert ann.tab.locator("#email").input_value() == "declined@example.com"
            assert ann.tab.locator("#address-line1").input_value() == "Gartenstraße 12"
            ann.checks()
        assert not [order for order in orders_of(shop, "declined@example.com") if order["status"] == "paid"]
        pays(ann)
        assert [order["status"] for order in orders_of(shop, "declined@example.com")].count("paid") == 1
        # The refusals answered a form. Going back to them asks for no form to be sent again, and shows the order.
        ann.tab.go_back()
        ann.sees(ORDER)


def keyboard_at_checkout(browser, shop):
    """The arrow keys walk through the delivery methods, though each choice replaces them."""
    with Visitor(browser, shop) as ann:
        puts_into_cart(ann, "pinecone-hat")
        goes_to_checkout(ann, "keys@example.com")
        methods = ann.tab.locator("[name='shipping.methodId']")
        assert methods.count() == 2
        methods.first.focus()
        for key, place in (("ArrowDown", 1), ("ArrowDown", 0), ("ArrowUp", 1)):
            with ann.tab.expect_response("**/checkout/shipping"):
                ann.tab.keyboard.press(key)
            # The new methods are in the page.
            expect(ann.tab.locator("#delivery [name='shipping.methodId']:checked")).to_have_attribute(
                "value", methods.nth(place).get_attribute("value"))
            expect(methods.nth(place)).to_be_focused()
        # A button that is gone leaves the focus to the page.
        ann.opens("/cart").tab.locator(".line-forms button:has-text('Remove')").press("Enter")
        expect(ann.tab.locator("main .line")).to_have_count(0)
        expect(ann.tab.locator("main")).to_be_focused()


def wrong_fields(browser, shop):
    """Mistakes of a form are named at its top, with links to the fields, and what was typed stays."""
    with Visitor(browser, shop) as ann:
        ann.opens("/sign-up").fills(name="Ann", email="not-an-address@", password="short")
        ann.tab.locator("form[data-once]").evaluate("form => { form.noValidate = true; }")
        with ann.refused(422):
            ann.clicks("Create an account")
        assert ann.tab.locator("#name").input_value() == "Ann"
        assert ann.tab.locator("#password").input_value() == "", "The password is in the page."
        for field in ("email", "password"):
            link = ann.tab.locator(f"[data-errors] a[href='#{field}']")
            link.click()
            expect(ann.tab.locator(f"#{field}")).to_be_focused()
            expect(ann.tab.locator(f"#{field}")).to_have_attribute("aria-invalid", "true")
        ann.checks()
        ann.opens("/product/pinecone-hat")
        ann.tab.locator("form[data-buy]").evaluate("form => { form.noValidate = true; }")
        with ann.refused(422):
            ann.fills(quantity="0").tab.click("form[data-buy] button[type=submit]")
        assert ann.alert()
        ann.checks()


def sold_out(browser, shop):
    """A variant without stock cannot be chosen; the cart says so if another buyer takes the stock first."""
    product = shop.add_product("Last Mittens", stock=2, category="gloves")
    handle = product["handle"]
    with Visitor(browser, shop) as ann, Visitor(browser, shop) as bob:
        # The button is disabled without a combination of options in stock.
        ann.opens("/product/samphire-cardigan")
        chips = ann.tab.locator("[data-options] .chip:has(:checked)")
        assert chips.count() == 2
        ann.tab.locator(".chip.is-out").first.click()
        expect(ann.tab.locator("form[data-buy] button[type=submit]")).to_be_disabled()
        expect(ann.tab.locator("p[data-stock]")).to_have_class("stock is-out")
        ann.checks()
        puts_into_cart(ann, handle, 2)
        goes_to_checkout(ann, "late@example.com")
        chooses_card(ann)
        puts_into_cart(bob, handle, 2)
        pays(goes_to_checkout(bob, "first@example.com"))
        with ann.refused(409, 422):
            ann.tab.click(PAY)
        assert ann.alert() and not orders_of(shop, "late@example.com")
        ann.checks().opens("/cart").checks()
        assert ann.tab.locator("main .line .error").count() == 1, "The cart does not say that the product is sold out."
        ann.opens_until(
            f"/product/{handle}", lambda page: page.locator("form[data-buy] button[type=submit]").count() == 0).checks()
        with ann.refused(404):
            ann.tab.goto("/product/no-such-thing")
        ann.checks()

"""A day of a merchant in the browser: from an empty shop to the first order, and what follows from it."""

import struct
import zlib

from playwright.sync_api import expect

from shop_server import OWNER, PASSWORD
from shopping import goes_to_checkout, pays, puts_into_cart
from visitor import Visitor

# Drops files, each with its name and bytes, as from the desktop.
DROP = """([selector, ...files]) => {
    const transfer = new DataTransfer(), zone = document.querySelector(selector);
    for (const [name, bytes] of files) transfer.items.add(new File([new Uint8Array(bytes)], name, {type: "image/png"}));
    for (const type of ["dragover", "drop"]) {
        zone.dispatchEvent(new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}));
    }
}"""


def png(red, green, blue, size=32):
    """A picture of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes((red, green, blue)) * size) * size
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def opens_the_shop(browser, shop):
    """The first sign-in, a category, a product with pictures, and the first guest who buys it."""
    with Visitor(browser, shop) as guest:
        guest.opens("/").checks().opens("/products").checks()
    with Visitor(browser, shop) as olive:
        olive.opens("/admin/orders").sees("/admin/sign-in").checks()
        with olive.refused(401, 422):
            olive.fills(f__email=OWNER, f__password="a wrong password").clicks("Sign in")
        assert olive.alert()
        olive.signs_in_as_staff(OWNER).checks()
        adds_category(olive)
        adds_product(olive)
        with Visitor(browser, shop) as guest:
            buys_it(guest)
        sends_it(olive, shop)
        refunds_it(olive, shop)


def adds_category(olive):
    olive.follows("Categories", within="nav").sees("/admin/categories").checks()
    olive.fills(f__categories__id="tea-cosies", f__categories__name="Tea cosies").clicks("Add category")
    expect(olive.tab.get_by_label("Name of tea-cosies")).to_have_value("Tea cosies")


def adds_product(olive):
    """One picture is dropped, one is uploaded. A draft is not in the shop, and then it is."""
    olive.opens("/admin/products").checks().follows("New product").sees("/admin/products/new").checks()
    olive.fills(
        f__name="Brown Bettie", f__description="For pots of four cups.\n\nIt has a bobble.", f__materials="100% wool",
        f__category="tea-cosies", f__tags="tea")
    front = ["front.png", list(png(140, 90, 60))]
    told = olive.tab.locator("[data-drop] [role=status]")
    # A form that is too old is answered by a page.
    token = olive.tab.locator("#picture-form [name=csrf]")
    good = token.input_value()
    token.evaluate("field => { field.value = 'x'; }")
    with olive.refused(403):
        olive.tab.evaluate(DROP, ["[data-drop=pictures]", front])
    expect(told).to_have_text("front.png could not be uploaded: You may be signed out. Reload the page and try again.")
    token.evaluate("(field, good) => { field.value = good; }", good)
    # A file that is no picture does not stop the next one.
    with olive.refused(422):
        olive.tab.evaluate(DROP, ["[data-drop=pictures]", ["notes.png", list(b"no picture")], front])
    expect(told).to_contain_text("notes.png could not be uploaded:")
    expect(told).to_contain_text("Save the product to keep its pictures.")
    expect(olive.tab.locator("#pictures [data-item]")).to_have_count(1)
    with olive.tab.expect_response("**/admin/pictures"):
        olive.tab.locator("#f-picture").set_input_files(
            {"name": "back.png", "mimeType": "image/png", "buffer": png(60, 90, 140)})
    pictures = olive.tab.locator("#pictures [data-item]")
    expect(pictures).to_have_count(2)
    # Both can be seen before the product is saved, and the second becomes the first.
    assert olive.tab.evaluate("""async () => {
        const images = [...document.querySelectorAll("#pictures img")];
        await Promise.all(images.map(image => image.decode()));
        return images.every(image => image.naturalWidth > 0); }""")
    pictures.nth(0).locator("[name$='.alt']").fill("The front of the tea cosy")
    pictures.nth(1).locator("[name$='.alt']").fill("The back of the tea cosy")
    pictures.nth(1).locator("[data-move=up]").click()
    # Two colours and their variants.
    option = olive.tab.locator("[data-option]").first
    option.locator("input").fill("Colour")
    option.locator("textarea").fill("Brown\nBlue")
    olive.clicks("Add missing combinations")
    rows = olive.tab.locator("#variants [data-item]")
    expect(rows).to_have_count(2)
    for index, sku in enumerate(("TC-BROWN", "TC-BLUE")):
        row = rows.nth(index)
        row.locator("[name*='.sku']").fill(sku)
        row.locator("[name*='.price']").fill("24.50")
        row.locator("[name*='.stock']").fill("5")
    # The stock, at the end of the row, is in sight as well.
    assert olive.tab.evaluate("""() => {
        const table = document.getElementById("variants").closest(".table-wrap");
        return table.scrollWidth <= table.clientWidth; }""")
    olive.tab.locator("[name=status][value=draft]").check()
    olive.checks()
    olive.tab.locator(".admin-actions [type=submit]").click()
    olive.sees("/admin/products/[^/]+").checks()
    assert olive.tab.url.rpartition("/")[2] != "new" and olive.heading() == "Brown Bettie"
    alts = [field.input_value() for field in olive.tab.locator("#pictures [data-item] [name$='.alt']").all()]
    assert alts == ["The back of the tea cosy", "The front of the tea cosy"], alts
    with olive.refused(404):
        olive.tab.goto("/product/brown-bettie")
    olive.tab.go_back()
    olive.clicks("Publish")
    expect(olive.tab.locator(".admin-title .badge")).to_have_text("Published")
    olive.opens("/product/brown-bettie")
    expect(olive.tab.locator(".gallery img").first).to_have_attribute("alt", "The back of the tea cosy")


def buys_it(guest):
    guest.opens("/").checks().opens("/category/tea-cosies").checks()
    puts_into_cart(guest, "brown-bettie", 2)
    goes_to_checkout(guest, "guest@example.com")
    pays(guest)
    number = guest.heading()
    assert number.startswith("Order"), number


def sends_it(olive, shop):
    """Today shows the order, and it is sent with a number that the guest gets by mail."""
    olive.opens("/admin").checks()
    expect(olive.tab.locator(".admin-tasks")).to_contain_text("1")
    olive.follows("All orders").sees("/admin/orders").checks()
    olive.tab.locator("main [data-row]").first.click()
    olive.sees("/admin/orders/[^/]+").checks()
    olive.fills(f__tracking__carrier="Parcel Post", f__tracking__number="PP 1234")
    olive.clicks("Mark as sent")
    expect(olive.tab.locator("#tracking")).to_contain_text("PP 1234")
    expect(olive.tab.locator("#fulfil")).to_have_count(0)
    olive.checks()
    assert "PP 1234" in shop.mail("guest@example.com", "is on its way")
    olive.fills(f__text="Rang twice.\nThe neighbour has it.").clicks("Add note")
    expect(olive.tab.locator("#notes .admin-log")).to_contain_text("The neighbour has it.")
    # The notice is in sight though the page begins with the notes.
    expect(olive.tab.locator(".admin-notice")).to_be_in_viewport()


def refunds_it(olive, shop):
    """One of two units comes back, once the password was given again; more than was bought does not."""
    shop.forgets_confirmations()
    with olive.refused(403):
        olive.fills(f__lines__0__quantity="1", f__reason="One was too small.").clicks("Refund these units")
    assert olive.heading() == "Confirm your password"
    olive.checks()
    with olive.refused(401, 403, 422):
        olive.fills(f__password="a wrong password").clicks("Confirm and continue")
    assert olive.alert()
    olive.fills(f__password=PASSWORD).clicks("Confirm and continue").sees("/admin/orders/[^/]+")
    # The form takes effect without being filled in again.
    expect(olive.tab.locator("[aria-labelledby=payment-title] .admin-log")).to_contain_text("One was too small.")
    expect(olive.tab.locator("[aria-labelledby=payment-title] .admin-log")).to_contain_text("24.50")
    olive.checks()
    olive.tab.click("summary:has-text('Refund an amount')")
    olive.fills(amount__amount="1000", amount__reason="Too much.")
    with olive.refused(409, 422):
        olive.clicks("Refund amount")
    assert olive.alert()
    olive.checks()
    papers = [link.get_attribute("href") for link in olive.tab.locator(".admin-title a").all()]
    assert len(papers) == 2, papers
    for paper in papers:
        assert "Brown Bettie" in olive.opens(paper).tab.content(), paper


def keyboard(browser, shop):
    """The search, the pages, the rows and the list of shortcuts, without the mouse."""
    with Visitor(browser, shop) as olive:
        olive.signs_in_as_staff(OWNER)
        keys = olive.tab.keyboard
        for letters, path in (("go", "/admin/orders"), ("gp", "/admin/products"), ("gt", "/admin")):
            for letter in letters:
                keys.press(letter)
            olive.sees(path)
        keys.press("?")
        dialog = olive.tab.locator("#admin-shortcuts")
        expect(dialog).to_be_visible()
        olive.checks()
        keys.press("Escape")
        expect(dialog).to_be_hidden()
        keys.press("/")
        expect(olive.tab.locator("#admin-search")).to_be_focused()
        # In a field, keys are letters.
        keys.type("go brown ?")
        olive.sees("/admin")
        olive.tab.locator("#admin-search").fill("brown")
        keys.press("Enter")
        olive.sees("/admin/search").checks()
        keys.press("j")
        expect(olive.tab.locator("main [data-row]").first).to_be_focused()
        keys.press("Enter")
        olive.sees("/admin/products/[^/]+")
        assert olive.heading() == "Brown Bettie"


def ended_session(browser, shop):
    """What was typed is there again after the sign-in, also in rows that a script added, and nothing was saved before."""
    with Visitor(browser, shop) as olive:
        olive.signs_in_as_staff(OWNER).opens("/admin/products/new")
        olive.fills(f__name="Patient Cosy", f__description="Two lines,\nkept.")
        for _ in range(3):
            olive.clicks("Add a variant")
        rows = olive.tab.locator("#variants [data-item]")
        expect(rows).to_have_count(5)
        rows.last.locator("[name*='.sku']").fill("patient-5")
        rows.last.locator("[name*='.price']").fill("12.50")
        olive.context.clear_cookies()
        olive.clicks("Save product").sees("/admin/sign-in")
        assert "Patient Cosy" not in olive.tab.content()
        with olive.refused(401):
            olive.fills(f__email=OWNER, f__password="wrong").clicks("Sign in")
        with olive.refused(403):
            olive.fills(f__email=OWNER, f__password=PASSWORD).clicks("Sign in")
        olive.sees("/admin/products").checks()
        assert "had no effect" in olive.alert()
        assert olive.tab.locator("#f-name").input_value() == "Patient Cosy"
        assert olive.tab.locator("#f-description").input_value() == "Two lines,\nkept."
        assert olive.tab.locator("[name*='.sku'] >> nth=0").input_value() == "patient-5"
        assert not shop.call("GET", "/v1/admin/products?q=patient")["items"]
        olive.clicks("Save product").sees("/admin/products/[^/]+")
        assert olive.heading() == "Patient Cosy"
        # Another member does not see it.
        olive.opens("/admin/categories").fills(f__categories__id="secret", f__categories__name="A secret")
        olive.context.clear_cookies()
        olive.clicks("Add category").sees("/admin/sign-in")
        shop.run([shop.program, "admin", "create", "--email", "otto@example.com", "--name", "Otto"], PASSWORD)
        olive.fills(f__email="otto@example.com", f__password=PASSWORD).clicks("Sign in").sees("/admin/categories")
        assert olive.tab.locator("#f-categories-name").input_value() == ""
        # No password is kept, and signing out sends no form again.
        olive.clicks("Sign out", within="nav").sees("/admin/sign-in")
        assert olive.tab.evaluate("sessionStorage.getItem('typed')") is None
        olive.fills(f__email=OWNER, f__password=PASSWORD).clicks("Sign in").sees("/admin")


def conflict(browser, shop):
    """Two members change one product: the second sees both texts, chooses, and nothing is lost in silence."""
    product = shop.add_product("Contested Cosy", description="The first text.")
    path = f"/admin/products/{product['id']}"
    with Visitor(browser, shop) as olive, Visitor(browser, shop) as oscar:
        for member in (olive, oscar):
            member.signs_in_as_staff(OWNER).opens(path)
        olive.fills(f__description="The text of Olive.")
        olive.tab.locator(".admin-actions [type=submit]").click()
        expect(olive.tab.locator(".admin-notice")).to_be_visible()
        oscar.fills(f__description="The text of Oscar.", f__careInstructions="By hand.")
        with oscar.refused(409, 412):
            oscar.tab.locator(".admin-actions [type=submit]").click()
        oscar.checks()
        text = oscar.tab.locator("main").inner_text()
        assert "The text of Olive." in text and "The text of Oscar." in text, text
        oscar.tab.locator("fieldset:has-text('The text of Oscar.') label:has-text('Yours') input").check()
        oscar.clicks("Save selected values").sees(path)
        assert oscar.tab.locator("#f-description").input_value() == "The text of Oscar."
        assert oscar.tab.locator("#f-careInstructions").input_value() == "By hand."
        # Unsaved changes are not left by accident: the browser asks.
        olive.opens(path).fills(f__description="Not saved.")
        olive.tab.locator("#f-description").press("Tab")
        with olive.tab.expect_event("dialog") as asked:
            olive.tab.locator("nav a[href='/admin/orders']").click(no_wait_after=True)
        assert asked.value.type == "beforeunload"
        olive.forgives("beforeunload")

"""A visitor of the shop's pages in a headless Chromium, who notices what is wrong with them."""

import contextlib
import re
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from shop_server import PASSWORD, PATIENCE, wait_for

AXE = Axe()
expect.set_options(timeout=PATIENCE * 1_000)

# Elements that stick out of the page, unless a part that scrolls by itself contains them.
TOO_WIDE = """() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const scrolls = (one) => one && one !== document.body
        && (getComputedStyle(one).overflowX !== "visible" || scrolls(one.parentElement));
    return [`${document.documentElement.scrollWidth} of ${innerWidth}`, ...[...document.body.querySelectorAll("*")]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !scrolls(one.parentElement)).slice(0, 5)
        .map((one) => one.outerHTML.slice(0, 120))];
}"""


class Visitor:
    """A browser with its own cookies, and one tab on a shop.

    Without axe, checks of its pages take less time. Fails at its end if there were errors of the console or of scripts,
    requests to other sites, dialogs, or responses with a status from 500.
    """

    def __init__(self, browser, shop, width=1280, height=800, locale="en", axe=True, **options):
        self.shop = shop
        self.axe = axe
        self.has_script = options.get("java_script_enabled", True)
        self.context = browser.new_context(
            base_url=shop.site, viewport={"width": width, "height": height}, locale=locale, **options)
        self.context.set_default_timeout(PATIENCE * 1_000)
        self.complaints = []
        self.context.on("console", self.read)
        self.context.on("weberror", lambda error: self.complaints.append(f"A script failed: {error.error}"))
        self.context.on("request", self.watch)
        self.context.on("response", self.judge)
        self.context.on("dialog", self.dismiss)
        self.tab = self.context.new_page()

    def read(self, line):
        if line.type in ("error", "warning"):
            self.complaints.append(f"{line.text} ({line.location.get('url')})")

    def watch(self, request):
        if not request.url.startswith((self.shop.site + "/", "data:", "blob:")):
            self.complaints.append(f"The page asked for {request.url}.")

    def judge(self, response):
        if response.status >= 500:
            self.complaints.append(f"{response.url} responds with {response.status}.")

    def dismiss(self, dialog):
        self.complaints.append(f"A dialog of the type {dialog.type} opened: {dialog.message}")
        dialog.dismiss()

    def close(self):
        self.context.close()
        assert not self.complaints, "\n".join(self.complaints)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            self.context.close()
        else:
            self.close()

    # Navigation

    def opens(self, path):
        """Opens a page, and expects a 2xx response."""
        response = self.tab.goto(path)
        # A fragment of the same page has no response.
        assert response is None or response.ok, f"{path} responds with {response.status}."
        return self

    def opens_until(self, path, shows):
        """Opens a page again and again until it shows something: a catalogue's page may be 3 s older than the stock."""
        wait_for(lambda: shows(self.opens(path).tab), f"{path} does not show what was expected.", pause=0)
        return self

    def sees(self, path):
        """Waits until the tab is at a path, given as a regular expression."""
        pattern = re.compile(re.escape(self.shop.site) + f"({path})" + r"([?#].*)?$")
        expect(self.tab).to_have_url(pattern)
        return self

    @contextlib.contextmanager
    def refused(self, *statuses):
        """A block in which the server refuses a request, which the browser's console reports."""
        with self.tab.expect_response(lambda response: response.status >= 400) as refusal:
            yield
        status = refusal.value.status
        assert status in statuses, f"The status is {status}, which is none of {statuses}."
        self.tab.wait_for_load_state()
        self.forgives(f"status of {status}")

    def forgives(self, text):
        """Removes an expected complaint. The browser reports it no later than at the next round trip."""
        self.tab.evaluate("1")
        self.complaints[:] = [complaint for complaint in self.complaints if text not in complaint]

    # Checks

    def checks(self, tab=None, *, axe=True):
        """Checks the page with axe and with the rules below."""
        tab = tab or self.tab
        tab.wait_for_load_state()
        # A script makes the pages about the API.
        expect(tab.locator("main[aria-busy]")).to_have_count(0)
        place = f"{urlsplit(tab.url).path}, {tab.viewport_size['width']} pixels wide"
        headings = tab.locator("h1").all_inner_texts()
        assert len(headings) == 1, f"{place}: the headings of level 1 are {headings}."
        # The browser may not have laid out the page for another width yet.
        wait_for(
            lambda: not tab.evaluate(TOO_WIDE), lambda: f"{place}: wider than the page are {tab.evaluate(TOO_WIDE)}.")
        if axe and self.axe and self.has_script:
            self.asks_axe(tab, place)
        return self

    def asks_axe(self, tab, place, *rules):
        # The preview of an e-mail is in a frame of its own, in which axe cannot run.
        options = {"iframes": False} | ({"runOnly": list(rules)} if rules else {})
        found = [
            f"{one['id']}: {one['help']} {[node['html'][:300] for node in one['nodes']]}"
            for one in AXE.run(tab, options=options).response["violations"]
            if one["impact"] in ("serious", "critical")]
        assert not found, f"{place}: " + "; ".join(found)

    def heading(self):
        return self.tab.locator("h1").inner_text()

    def alert(self):
        """The text of the page's first alert."""
        return self.tab.locator("main [role=alert]").first.inner_text()

    # Actions

    def fills(self, **fields):
        """Fills fields by their id; `__` stands for the hyphen."""
        for name, value in fields.items():
            field = self.tab.locator(f"[id='{name.replace('__', '-')}']")
            if field.evaluate("field => field.localName") == "select":
                field.select_option(value)
            else:
                field.fill(value)
        return self

    def clicks(self, name, *, within="main", exact=True):
        """Clicks the first visible button with the name."""
        self.tab.locator(within).get_by_role("button", name=name, exact=exact).first.click()
        return self

    def follows(self, name, *, within="main"):
        self.tab.locator(within).get_by_role("link", name=name, exact=True).first.click()
        return self

    def signs_in(self, address, password=PASSWORD):
        """Signs in at the shop."""
        self.opens("/sign-in").fills(email=address, password=password).clicks("Sign in")
        return self.sees("/(account)?")

    def signs_in_as_staff(self, address, password=PASSWORD, code=None):
        """Signs in at the administration."""
        self.opens("/admin/sign-in").fills(f__email=address, f__password=password)
        if code:
            with self.refused(401, 422, 403):
                self.clicks("Sign in")
            self.fills(f__password=password, f__code=code)
        return self.clicks("Sign in").sees("/admin")

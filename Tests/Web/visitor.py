"""A visitor of the shop's pages in a headless Chromium, who notices what is wrong with them."""

import contextlib
import re
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from shop_server import PASSWORD

# In milliseconds, for each step.
PATIENCE = 15_000
AXE = Axe()
expect.set_options(timeout=PATIENCE)

# Elements that stick out of the page, unless a part that scrolls by itself contains them.
TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll("*")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).slice(0, 5)
    .map((one) => one.outerHTML.slice(0, 120))"""


class Visitor:
    """A browser with its own cookies, and one tab on a shop.

    Without axe, checks of its pages take less time. Complains at its end about all errors of the console and of scripts,
    requests to elsewhere, dialogs, and answers that a server must not give.
    """

    def __init__(self, browser, shop, width=1280, height=800, locale="en", axe=True, **options):
        self.shop = shop
        self.axe = axe
        self.has_script = options.get("java_script_enabled", True)
        self.context = browser.new_context(
            base_url=shop.site, viewport={"width": width, "height": height}, locale=locale, **options)
        self.context.set_default_timeout(PATIENCE)
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

    def judge(self, answer):
        if answer.status >= 500:
            self.complaints.append(f"{answer.url} answers with {answer.status}.")

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

    # Going

    def opens(self, path):
        """Opens a page, which has to answer well."""
        answer = self.tab.goto(path)
        # Another place on the same page has no answer.
        assert answer is None or answer.ok, f"{path} answers with {answer.status}."
        return self

    def sees(self, path):
        """Waits until the tab is at a path, given as a regular expression."""
        pattern = re.compile(re.escape(self.shop.site) + f"({path})" + r"([?#].*)?$")
        expect(self.tab).to_have_url(pattern)
        return self

    @contextlib.contextmanager
    def refused(self, *statuses):
        """A block in which the server refuses something, as the browser's console then tells."""
        with self.tab.expect_response(lambda answer: answer.status >= 400) as answer:
            yield
        assert answer.value.status in statuses, f"The answer is {answer.value.status} instead of {statuses}."
        self.tab.wait_for_load_state()
        self.forgives(f"status of {answer.value.status}")

    def forgives(self, text):
        """Forgets a complaint that had to come. The browser tells of it no later than after the next round trip."""
        self.tab.evaluate("1")
        self.complaints[:] = [complaint for complaint in self.complaints if text not in complaint]

    # Seeing

    def checks(self, tab=None, *, axe=True):
        """Holds the page against axe and against rules of its own."""
        tab = tab or self.tab
        tab.wait_for_load_state()
        place = f"{urlsplit(tab.url).path}, {tab.viewport_size['width']} pixels wide"
        headings = tab.locator("h1").all_inner_texts()
        assert len(headings) == 1, f"{place}: the first headings are {headings}."
        wide = tab.evaluate(TOO_WIDE)
        assert not wide, f"{place}: too wide are {wide}."
        if axe and self.axe and self.has_script:
            self.asks_axe(tab, place)
        return self

    def asks_axe(self, tab, place, *rules):
        options = {"runOnly": list(rules)} if rules else {}
        found = [
            f"{one['id']}: {one['help']} {[node['html'][:300] for node in one['nodes']]}"
            for one in AXE.run(tab, options=options).response["violations"]
            if one["impact"] in ("serious", "critical")]
        assert not found, f"{place}: " + "; ".join(found)

    def heading(self):
        return self.tab.locator("h1").inner_text()

    def alert(self):
        """What the page says went wrong."""
        return self.tab.locator("main [role=alert]").first.inner_text()

    # Acting

    def fills(self, **fields):
        """Fills fields by their id; `__` stands for the hyphen."""
        for name, value in fields.items():
            field = self.tab.locator(f"[id='{name.replace('__', '-')}']")
            if field.evaluate("field => field.localName") == "select":
                field.select_option(value)
            else:
                field.fill(value)
        return self

    def presses(self, name, *, within="main", exact=True):
        """Presses the first button of a name that can be seen."""
        self.tab.locator(within).get_by_role("button", name=name, exact=exact).first.click()
        return self

    def follows(self, name, *, within="main"):
        self.tab.locator(within).get_by_role("link", name=name, exact=True).first.click()
        return self

    def signs_in(self, address, password=PASSWORD):
        """Signs in at the shop."""
        self.opens("/sign-in").fills(email=address, password=password).presses("Sign in")
        return self.sees("/(account)?")

    def signs_in_at_desk(self, address, password=PASSWORD, code=None):
        """Signs in at the administration."""
        self.opens("/admin/sign-in").fills(f__email=address, f__password=password)
        if code:
            with self.refused(401, 422, 403):
                self.presses("Sign in")
            self.fills(f__password=password, f__code=code)
        return self.presses("Sign in").sees("/admin")

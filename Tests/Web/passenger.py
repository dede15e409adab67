"""A passenger of koober --web in a headless Chromium, who notices what is wrong with a page."""

import os
import re
import shutil
import signal
import subprocess
import sys
import uuid
from pathlib import Path
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from machine import PATIENCE, wait_for  # noqa: E402, F401

PASSWORD = "correct horse battery"
AXE = Axe()


def chromium(playwright):
    """The system's Chromium, which Playwright need not download. The build without windows takes a third less time."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if not path:
        sys.exit("Chromium is missing. Install it with your package manager.")
    # Its own sandbox needs rights that root in a container lacks. It loads pages of the tests alone.
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])


class Koober:
    """A koober --web that stores nothing. Ends with the block."""

    def __init__(self, program, architecture="mvvm", language="en", *options):
        server = os.environ["POUCH_SERVER"]
        self.process = subprocess.Popen(
            [program, "--web", "0", "--server", server, "--architecture", architecture, "--language", language,
             "--session-store", "memory", *options],
            stdout=subprocess.PIPE, text=True)
        self.address = self.next_address()
        self.site = "http://" + urlsplit(self.address).netloc

    def next_address(self):
        """The next printed address, which opens the site in one browser."""
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found, "koober printed no address."
        return found[0]

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(PATIENCE) == 0, "koober did not end well."

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.stop()


class Passenger:
    """One browser with one tab on a site. Uses the keyboard alone."""

    def __init__(self, browser, koober, width=1280, height=800, **options):
        self.koober = koober
        self.context = browser.new_context(viewport={"width": width, "height": height}, **options)
        self.context.set_default_timeout(PATIENCE * 1_000)
        self.hasScript = options.get("java_script_enabled", True)
        self.complaints = []
        self.tab = self.open_tab(koober.address)
        # The address is used up.
        koober.address = koober.next_address()

    def open_tab(self, address):
        tab = self.context.new_page()
        tab.on("console", lambda line: line.type in ("error", "warning") and self.complaints.append(line.text))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("request", lambda request: self.watch(request.url))
        tab.goto(address)
        return tab

    def watch(self, url):
        if not url.startswith(self.koober.site + "/"):
            self.complaints.append(f"The page asked for {url}.")

    def close(self):
        self.context.close()
        assert not self.complaints, self.complaints

    # Checks

    def sees(self, selector, tab=None):
        (tab or self.tab).wait_for_selector(selector)
        return self

    def status(self):
        return self.tab.inner_text("#status")

    def focus(self):
        return self.tab.evaluate("document.activeElement.id || document.activeElement.localName")

    def checks(self, view):
        """Waits for a view, and checks it with axe and with the rules below."""
        self.sees(f"#app[data-view={view}]")
        focus = self.focus()
        assert focus != "body", f"On {view}, nothing has the focus."
        violations = AXE.run(self.tab).response["violations"]
        assert not violations, f"{view}: " + "; ".join(
            f"{one['id']}: {one['help']} {[node['html'] for node in one['nodes']]}" for one in violations)
        assert self.tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{view} is too wide."
        small = self.tab.evaluate("""() => [...document.querySelectorAll("button, input:not([type=hidden]), summary, a")]
            .map((one) => [one.id, one.getBoundingClientRect()])
            .filter(([id, box]) => box.width > 0 && (box.width < 44 || box.height < 44)).map(([id]) => id)""")
        assert not small, f"On {view}, {small} are smaller than 44 pixels."
        return self

    # Actions

    def goes_to(self, id):
        """Moves the focus with the Tab key."""
        for _ in range(60):
            if self.focus() == id:
                ring = self.tab.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert ring != "none", f"The focus on {id} cannot be seen."
                return self
            self.tab.keyboard.press("Tab")
        raise AssertionError(f"{id} cannot be reached with the Tab key.")

    def presses(self, id, key="Enter"):
        self.sees(f"#{id}:enabled" if id != "ask-to-cancel" else f"#{id}")
        self.goes_to(id).tab.keyboard.press(key)
        return self

    def types(self, id, text):
        self.goes_to(id).tab.keyboard.type(text)
        return self

    def signs_up(self, name="Ann Kangaroo"):
        self.sees("#do-goToSignUp").presses("do-goToSignUp").sees("#name")
        self.types("name", name).types("email", f"{uuid.uuid4().hex}@example.com").types("password", PASSWORD)
        self.tab.keyboard.press("Enter")
        return self

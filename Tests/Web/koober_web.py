"""Rides to Bondi in headless Chromium on koober --web, and tries what must not work.

usage: koober_web.py KOOBER            (the program koober; the address of a demo server in POUCH_SERVER)
       koober_web.py KOOBER PICTURE    takes the picture of the documentation instead; with ALL_PICTURES=1 also
                                       narrow and dark ones next to it
"""

import os
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

import requests_checks
from passenger import PASSWORD, Koober, Passenger, chromium

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tool  # noqa: E402


# The kangaroo has a long way there: time to read and to cancel, even while rides take seconds.
AT_SEA = "--location=-33.89,151.43"


def ride_to_bondi(browser, program, architecture, language, arrived, **options):
    """By keyboard alone, with every screen checked."""
    with Koober(program, architecture, language) as koober:
        ann = Passenger(browser, koober, **options).checks("welcome")
        assert ann.tab.get_attribute("html", "lang") == language
        ann.presses("do-goToSignIn").checks("sign-in").presses("do-goBack").sees("[data-view=welcome]")
        ann.presses("do-goToSignUp").checks("sign-up").presses("submit")
        acknowledge_problems(ann)
        ann.types("name", "Ann <b>Kangaroo</b>").types("email", f"ann-{architecture}-{time.time()}@example.com")
        ann.types("password", PASSWORD).tab.keyboard.press("Enter")
        ann.checks("map").presses("do-showProfile").checks("profile")
        assert ann.focus() == "do-closeProfile"
        # The name of a person is text, never markup.
        assert ann.tab.inner_text("#profile dd >> nth=0") == "Ann <b>Kangaroo</b>"
        ann.tab.keyboard.press("Escape")
        ann.checks("map").presses("do-chooseDropoff").sees(".places").checks("dropoff")
        assert ann.focus() == "query"
        # The first results arrive while the passenger types on.
        with ann.tab.expect_request("**/intentions"):
            ann.tab.keyboard.type("bondi")
        ann.tab.keyboard.type(" bea")
        ann.sees("#place-0:has-text('Bondi Beach')")
        assert (ann.focus(), ann.tab.input_value("#query")) == ("query", "bondi bea")
        ann.presses("place-0").sees("#option-1").checks("options").presses("option-1").checks("confirm")
        assert ann.focus() == "do-confirmRide" and ann.tab.get_attribute("#option-1", "aria-pressed") == "true"
        ann.tab.keyboard.press("Enter")
        ann.checks("waiting").sees("#mark-driver")
        hops(ann)
        ann.sees("#do-startNewRide").checks("waiting")
        assert ann.status() == arrived, ann.status()
        ann.presses("do-startNewRide").checks("map").presses("do-showProfile").presses("do-signOut").checks("welcome")
        ann.close()


def acknowledge_problems(ann):
    """After an empty form: a dialog has the focus first, then the first field with a problem."""
    ann.sees(".problem")
    if ann.tab.locator("#error").count():
        ann.checks("error")
        assert ann.focus() == "do-acknowledgeError"
        ann.tab.keyboard.press("Escape")
        ann.tab.wait_for_selector("#error", state="detached")
    ann.checks("sign-up")
    assert ann.focus() == "name", ann.focus()
    described = ann.tab.get_attribute("#name", "aria-describedby")
    assert ann.tab.get_attribute("#name", "aria-invalid") == "true" and ann.tab.inner_text("#" + described)


def hops(ann):
    """The kangaroo moves between two updates, unless the passenger wants no motion."""
    spots = ann.tab.evaluate("""async () => {
        const spots = new Set(), end = performance.now() + 20000;
        while (performance.now() < end && spots.size < 12) {
            const driver = document.getElementById("mark-driver");
            if (!driver || !driver.classList.contains("moving")) break;
            spots.add(getComputedStyle(driver).transform);
            await new Promise(requestAnimationFrame);
        }
        return spots.size; }""")
    assert spots >= 12, f"The kangaroo was seen at {spots} spots."


def wrong_password(browser, program):
    """An error is a dialog with the focus. The input stays, and the password is in no page."""
    with Koober(program, "redux") as koober:
        ann = Passenger(browser, koober)
        ann.presses("do-goToSignIn").types("email", "ann@example.com").types("password", "unlike any other")
        ann.tab.keyboard.press("Enter")
        ann.checks("error")
        assert ann.tab.get_attribute(".dialog", "role") == "alertdialog" and ann.focus() == "do-acknowledgeError"
        ann.tab.keyboard.press("Tab")
        assert ann.focus() in ("do-acknowledgeError", "body"), "The keyboard leaves the dialog."
        ann.presses("do-acknowledgeError").checks("sign-in")
        assert ann.tab.input_value("#email") == "ann@example.com"
        assert "unlike any other" not in ann.tab.content() and "unlike any other" not in ann.tab.url
        ann.tab.reload()
        assert (ann.tab.input_value("#email"), ann.tab.input_value("#password")) == ("ann@example.com", "")
        ann.close()


def without_script(browser, program):
    """Forms alone: sign-up, a ride, and its end after a question."""
    with Koober(program, "elements", "en", AT_SEA) as koober:
        ann = Passenger(browser, koober, java_script_enabled=False)
        tab = ann.tab
        tab.click("#do-goToSignUp")
        tab.click("#submit")
        if tab.locator("#error").count():
            tab.click("#do-acknowledgeError")
        assert tab.locator("#name[autofocus][aria-invalid]").count() == 1
        tab.fill("#name", "Ann")
        tab.fill("#email", f"ann-{time.time()}@example.com")
        tab.fill("#password", PASSWORD)
        tab.click("#submit")
        # The page loads itself again until the screen is there.
        ann.sees("#do-chooseDropoff")
        tab.click("#do-chooseDropoff")
        ann.sees("#query")
        tab.fill("#query", "bondi beach")
        tab.click("#search-now")
        ann.sees("#place-0:has-text('Bondi Beach')")
        tab.click("#place-0")
        ann.sees("#option-0")
        tab.click("#option-0")
        tab.click("#do-confirmRide")
        ann.sees("[data-view=waiting] #cancel")
        tab.click("#ask-to-cancel")
        tab.click("#do-cancelRide")
        ann.sees("#do-startNewRide")
        ann.close()


def two_tabs(browser, program):
    """Tabs show the same screen. A form of an earlier screen changes nothing, and the page says so."""
    with Koober(program) as koober:
        ann = Passenger(browser, koober).signs_up().sees("#do-showProfile")
        other = ann.open_tab(koober.site)
        ann.sees("#do-showProfile", other)
        other.click("#do-showProfile")
        # Only the tab in front follows; the one behind catches up when it comes to the front.
        ann.tab.bring_to_front()
        ann.sees("#profile").presses("do-closeProfile").sees("#app[data-view=map]")
        other.bring_to_front()
        ann.sees("#app[data-view=map]", other)
        old = ann.open_tab(koober.site)
        old.route("**/events", lambda route: route.abort())
        ann.complaints.clear()
        old.reload()
        other.bring_to_front()
        other.click("#do-chooseDropoff")
        ann.sees("#query", other)
        old.click("#do-chooseDropoff")
        ann.sees("#app[data-view=notice] [role=status]", old)
        ann.sees("#app[data-view=dropoff]", other)
        old.click("a")
        ann.sees("#app[data-view=dropoff]", old)
        # The browser reports the refusal, and the stream that this test has cut, each time that the page asks for it.
        old.close()
        ann.complaints.clear()
        ann.close()


def holds_answers(ann):
    """Holds the answers to forms from now on. Returns a function that lets the first one go, and waits until it is shown."""
    held = []
    ann.tab.route("**/intentions", lambda route: held.append((route, route.fetch())))

    def let_go():
        route, answer = held.pop(0)
        with ann.tab.expect_event("requestfinished"):
            route.fulfill(response=answer)
        ann.tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    return let_go


def late_answer(browser, program):
    """An answer that comes after the event of its screen, or of a later one, changes nothing: neither the screen nor the
    field in which the passenger is typing by then."""
    with Koober(program) as koober:
        ann = Passenger(browser, koober)
        ann.sees("#do-goToSignIn").presses("do-goToSignIn").sees("#email")
        let_go = holds_answers(ann)
        ann.goes_to("email").tab.keyboard.press("Enter")
        ann.sees("#email[aria-invalid]").types("password", "un")
        let_go()
        assert ann.focus() == "password", ann.focus()
        ann.close()
    with Koober(program) as koober:
        ann = Passenger(browser, koober)
        ann.sees("#do-goToSignUp").presses("do-goToSignUp").sees("#name")
        let_go = holds_answers(ann)
        ann.types("name", "Ann").types("email", f"ann-{time.time()}@example.com").types("password", PASSWORD)
        ann.tab.keyboard.press("Enter")
        ann.sees("#do-chooseDropoff")
        let_go()
        assert ann.tab.get_attribute("#app", "data-view") == "map"
        ann.close()


def double_click(browser, program):
    """The second click of a double click does nothing, but a click on another button of the page is never lost.

    News of the ride do not move a passenger who reads.
    """
    with Koober(program, "mvvm", "en", AT_SEA) as koober:
        ann, held = Passenger(browser, koober).signs_up(), []
        chooses_bondi(ann).sees("#do-confirmRide")
        ann.tab.route("**/intentions", lambda route: held.append(route))
        for button in ("#option-1", "#do-confirmRide"):
            with ann.tab.expect_request("**/intentions"):
                ann.tab.dblclick(button)
        ann.tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert len(held) == 2, f"{len(held)} forms were sent."
        for form in held:
            form.continue_()
        ann.sees("[data-view=waiting] #mark-driver")
        ann.tab.set_viewport_size({"width": 320, "height": 300})
        place = ann.tab.evaluate("""async () => {
            document.activeElement.blur();
            scrollTo(0, 100);
            const app = document.getElementById("app"), version = app.dataset.version, end = performance.now() + 20000;
            while (app.dataset.version === version) {
                if (performance.now() > end) return "no news";
                await new Promise(requestAnimationFrame);
            }
            return scrollY; }""")
        assert (place, ann.focus()) == (100, "body"), (place, ann.focus())
        ann.close()


def chooses_bondi(ann):
    ann.presses("do-chooseDropoff").sees(".places")
    ann.tab.keyboard.type("bondi beach")
    return ann.sees("#place-0:has-text('Bondi Beach')").presses("place-0").presses("option-1")


def koober_ends(browser, program):
    """A page whose koober has ended says so. It asks a new koober once, and goes on when this one knows the browser."""
    with Koober(program) as koober:
        ann = Passenger(browser, koober).presses("do-goToSignIn").presses("do-goBack").presses("do-goToSignIn")
        ann.sees("[data-view=sign-in]")
        koober.stop()
        ann.sees("#lost:has-text('Start koober again')")
        with Koober(program, "mvvm", "en", "--web", koober.site.rpartition(":")[2]) as again:
            ann.sees("#lost:has-text('printed an address')")
            asked = []
            ann.tab.on("request", lambda request: asked.append(request.url))
            # Longer than the page waits between two questions.
            ann.tab.wait_for_timeout(3_000)
            assert not asked, asked
            ann.open_tab(again.address)
            # Without windows, no tab is hidden and shown again: the event alone.
            ann.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            ann.sees("[data-view=welcome]").tab.wait_for_selector("#lost[hidden]", state="attached")
            ann.complaints.clear()
            ann.close()


def too_many_tabs(browser, program):
    """A page that gets no events because of other pages says so, until there is room."""
    with Koober(program) as koober:
        ann = Passenger(browser, koober).sees("#do-goToSignIn")
        ann.tab.route("**/events", lambda route: route.abort())
        ann.tab.reload()
        ann.sees("#lost:has-text('Start koober again')")
        others, streams = requests_checks.Browser(koober), []
        while (stream := others.follow())[0] == 200:
            streams.append(stream)
        ann.tab.unroute("**/events")
        ann.sees("#lost:has-text('Too many tabs')")
        for _, connection, _ in streams:
            connection.close()
        ann.tab.wait_for_selector("#lost[hidden]", state="attached")
        ann.complaints.clear()
        ann.close()


def calm(browser, program):
    """Who wants no motion gets none."""
    with Koober(program) as koober:
        ann = Passenger(browser, koober, reduced_motion="reduce", color_scheme="dark").signs_up().sees("#do-chooseDropoff")
        moving = ann.tab.evaluate("""() => {
            const active = (rules) => [...rules].flatMap((rule) => !(rule instanceof CSSMediaRule) ? [rule.cssText]
                : matchMedia(rule.conditionText).matches ? active(rule.cssRules) : []);
            return [...document.styleSheets].flatMap((sheet) => active(sheet.cssRules))
                .filter((text) => /transition:|animation:/.test(text)); }""")
        assert not moving, moving
        ann.checks("map").close()


def picture(browser, program, path):
    """The map with a kangaroo on its way."""
    with Koober(program) as koober:
        ann = chooses_bondi(Passenger(browser, koober).signs_up()).presses("do-confirmRide")
        # The page's policy forbids Playwright's own way to wait for a condition.
        ann.sees("#mark-driver").tab.evaluate("""async () => {
            while (document.querySelector(".trail").getTotalLength() < 250) await new Promise(requestAnimationFrame); }""")
        ann.tab.evaluate("document.activeElement.blur()")
        ann.tab.screenshot(path=path)
        if os.environ.get("ALL_PICTURES"):
            for width in (1280, 320):
                for scheme in ("light", "dark"):
                    ann.tab.emulate_media(color_scheme=scheme)
                    ann.tab.set_viewport_size({"width": width, "height": 720})
                    ann.tab.screenshot(path=path.replace(".png", f"-{width}-{scheme}.png"), full_page=True)
        ann.close()


def main(program, pictures):
    started = time.monotonic()
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        if pictures:
            return picture(browser, program, *pictures)
        english, german = "You have arrived. Thank you for riding with us!", "Du bist angekommen. Danke für die Fahrt!"
        tests = [
            ("requests that must not work", lambda: requests_checks.run(program)),
            ("a ride in MVVM", lambda: ride_to_bondi(browser, program, "mvvm", "en", english)),
            ("a ride in Redux, German, dark", lambda: ride_to_bondi(
                browser, program, "redux", "de", german, color_scheme="dark", locale="de")),
            ("a ride in Elements, 320 pixels wide", lambda: ride_to_bondi(
                browser, program, "elements", "en", english, width=320, height=700)),
            ("a wrong password", lambda: wrong_password(browser, program)),
            ("no script", lambda: without_script(browser, program)),
            ("two tabs", lambda: two_tabs(browser, program)),
            ("a late answer", lambda: late_answer(browser, program)),
            ("no motion", lambda: calm(browser, program)),
            ("a double click", lambda: double_click(browser, program)),
            ("too many tabs", lambda: too_many_tabs(browser, program)),
            ("an end of koober", lambda: koober_ends(browser, program)),
        ]
        for name, test in tests:
            start = time.monotonic()
            test()
            print(f"{time.monotonic() - start:5.1f} s  {name}", flush=True)
        browser.close()
    print(f"All {len(tests)} pass in {time.monotonic() - started:.0f} s.")


if __name__ == "__main__":
    program, *picture_file = tool.words(__doc__, 1, 2)
    main(program, picture_file)

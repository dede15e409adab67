"""One page of a headless Chromium, for the scenarios of Koober (ScenarioBrowserTests).

Each line of standard input is a step as JSON, such as {"opens": {"address": "http://…"}}. Each is answered with a line:
"ok", or what is wrong.
"""

import json
import sys
from pathlib import Path

from playwright.sync_api import TimeoutError, sync_playwright

from passenger import PATIENCE, chromium

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tool  # noqa: E402

# Everything in which the page differs from the screen that it should show.
DIFFERENCES = """({language, texts, forms}) => {
  const flat = (text) => text.replace(/\\s+/g, " ");
  const page = flat(document.body.innerText);
  const missing = texts.filter((text) => !page.includes(flat(text))).map((text) => `no text “${text}”`);
  const usable = [...document.forms]
    .filter((form) => !form.closest("[inert]") && form.querySelector("button:enabled"))
    .map((form) => [...form.querySelectorAll("[type=hidden]:not([name=token])")].map((field) => field.value));
  const names = (forms) => forms.map((form) => form.join(" "));
  const [has, wants] = [names(usable), names(forms)];
  return [
    ...(document.documentElement.lang === language ? [] : [`the language ${document.documentElement.lang}`]),
    ...missing,
    ...wants.filter((form) => !has.includes(form)).map((form) => `no form “${form}”`),
    ...has.filter((form) => !wants.includes(form)).map((form) => `a form “${form}”`),
  ];
}"""

# The page searches by itself a moment after the last key. Typed and sent at once, it searches once.
SEARCH = "(field, text) => { field.value = text; field.form.requestSubmit(); }"


def opens(page, address):
    page.goto(address, wait_until="domcontentloaded")


def sees(page, **screen):
    try:
        page.wait_for_function(f"(screen) => ({DIFFERENCES})(screen).length === 0", arg=screen)
    except TimeoutError:
        raise AssertionError("; ".join(page.evaluate(DIFFERENCES, screen))) from None


def performs(page, form, input):
    intention, *value = form
    element = page.locator(f"form:has([name=intention][value={intention}])")
    if value:
        element = element.filter(has=page.locator(f"[name=value][value={json.dumps(value[0])}]"))
    with page.expect_response("**/intentions") as answer:
        if intention == "searchDropoffs":
            page.locator("#query").evaluate(SEARCH, input["value"])
        elif intention == "goBack" and not element.count():
            page.keyboard.press("Escape")
        else:
            if intention == "cancelRide":
                page.press("#ask-to-cancel", "Enter")
            for field, text in input.items():
                element.locator(f"[name={field}]").fill(text)
            element.locator("button").press("Enter")
    assert answer.value.status == 303, f"The site answers with {answer.value.status}."


def main():
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        # Drawing takes most of the time: little, and nothing that moves.
        page = browser.new_page(viewport={"width": 640, "height": 480}, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE * 1_000)
        for line in sys.stdin:
            (step, values), = json.loads(line).items()
            try:
                {"opens": opens, "sees": sees, "performs": performs}[step](page, **values)
                print("ok", flush=True)
            except Exception as error:
                print(" ".join(str(error).split()), flush=True)
        browser.close()


if __name__ == "__main__":
    tool.words(__doc__, 0, 0)
    main()

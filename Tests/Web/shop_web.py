"""Tries the shop's pages in headless Chromium.

usage: shop_web.py SERVER PART [WORD...]

  SERVER    the program pouch-server
  PART      demo: purchases and accounts in the demo's shop
            pages: every page of the demo's shop by itself
            empty: a merchant's day in a shop that has nothing yet, and attacks
  WORD      only tests with one of the words in their names
"""

import signal
import sys
import time
import traceback
from pathlib import Path

from playwright.sync_api import sync_playwright

import accounts
import admin
import kangaroo
import lighthouse
import merchant
import pages
import regions
import security
import shopping
import trouble
from passenger import chromium
from shop_server import Shop

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tool  # noqa: E402


def demo(browser, shop, program):
    """The tests by their names, in an order in which later ones may use what earlier ones have left in the shop."""
    def over(test, *more):
        return lambda: test(browser, shop, *more)

    return {
        "a guest buys": over(shopping.buys_as_guest, 1280),
        "a guest buys, 390 pixels wide": over(shopping.buys_as_guest, 390),
        "a guest buys, 320 pixels wide": over(shopping.buys_as_guest, 320),
        "a customer buys": over(shopping.buys_as_customer, 1280),
        "a customer buys, 390 pixels wide": over(shopping.buys_as_customer, 390),
        "no script": over(shopping.without_script),
        "quantities": over(shopping.changes_quantities),
        "a discount": over(shopping.discount),
        "filters": over(shopping.filters_by_word, 1280),
        "filters, 320 pixels wide": over(shopping.filters_by_word, 320),
        "a search": over(shopping.searches_while_typing),
        "filter of the documentation": over(shopping.filters_documentation),
        "documentation": over(shopping.reads_documentation),
        "a state of the address": lambda: regions.state_decides_on_the_total(browser, program, shop.folder),
        "languages": over(shopping.switches_language),
        "a slow network": over(trouble.slow_network),
        "a double click": over(trouble.double_click),
        "a pressed button": over(trouble.pressed_button),
        "two tabs": over(trouble.two_tabs),
        "the back button": over(trouble.back_button),
        "a page that comes back": over(trouble.page_that_comes_back),
        "declined cards": over(trouble.declined_card),
        "keys at the checkout": over(trouble.keyboard_at_checkout),
        "wrong fields": over(trouble.wrong_fields),
        "sold out": over(trouble.sold_out),
        "a kangaroo": over(kangaroo.delivers_by_kangaroo),
        "a new account": over(accounts.signs_up),
        "addresses": over(accounts.addresses),
        "profile and password": over(accounts.profile_and_password),
        "a forgotten password": over(accounts.forgotten_password),
        "export and end of an account": over(accounts.export_and_end),
    }


def every_page(browser, shop, program):
    """Every page of the demo's shop, a part of its own because it takes as long as all purchases together."""
    return {
        "weight of the first pages": lambda: pages.weight(browser, shop),
        "rules of Lighthouse": lambda: lighthouse.follows_lighthouse(browser, shop),
        "every page": lambda: pages.every_page(browser, shop, shop.folder / "pages"),
    }


def empty(browser, shop, program):
    """The tests by their names, in order as well."""
    def over(test):
        return lambda: test(browser, shop)

    return {
        "the first day of a shop": over(merchant.opens_the_shop),
        "keys of the administration": over(merchant.keyboard),
        "a session that ends": over(merchant.ended_session),
        "a conflict": over(merchant.conflict),
        "discounts and prices": over(admin.discount_and_price),
        "webhooks": over(admin.webhook),
        "staff and API keys": over(admin.staff_and_keys),
        "files in and out": over(admin.files),
        "a second factor": over(accounts.second_factor),
        "hostile texts": over(security.hostile_texts),
        "frames of other sites": over(security.frames),
        "forms of other sites": over(security.foreign_forms),
        "cookies": over(security.cookies),
        "history after the sign-out": over(security.history_after_sign_out),
    }


PARTS = {"demo": demo, "pages": every_page, "empty": empty}


def main(program, part, words):
    # The server ends, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    started, failed = time.monotonic(), []
    shop = Shop(program, demo=False, name="Tea & Wool") if part == "empty" else Shop(program)
    with shop, sync_playwright() as playwright:
        browser = chromium(playwright)
        chosen = {
            name: test for name, test in PARTS[part](browser, shop, program).items()
            if not words or any(word in name for word in words)}
        if not chosen:
            tool.refuse(f"No test has {' or '.join(words)} in its name.")
        for name, test in chosen.items():
            start = time.monotonic()
            try:
                test()
            except Exception:
                failed.append(name)
                traceback.print_exc()
            print(f"{time.monotonic() - start:5.1f} s  {name}{': FAILED' * (name in failed)}", flush=True)
            # A test that failed may have left some.
            for context in browser.contexts:
                context.close()
        browser.close()
    seconds = f"{time.monotonic() - started:.0f} s"
    if failed:
        sys.exit(f"{len(failed)} of {len(chosen)} fail after {seconds}: {', '.join(failed)}.")
    print(f"All {len(chosen)} pass in {seconds}.")


if __name__ == "__main__":
    program, part, *words = tool.words(__doc__, 2)
    tool.choices([part], PARTS)
    main(program, part, words)

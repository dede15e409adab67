"""Tries the shop's pages in headless Chromium: purchases, accounts, a merchant's day, attacks, and every page by itself.

usage: shop_web.py SERVER [WORD...]    (the program pouch-server; only tests with one of the words in their name)
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


def tests(browser, demo, empty, program):
    """By their names, in an order in which later ones may use what earlier ones have left in the shop."""
    def over(shop, *parts):
        return lambda: parts[0](browser, shop, *parts[1:])

    return {
        "weight of the first pages": over(demo, pages.weight),
        "rules of Lighthouse": over(demo, lighthouse.follows_lighthouse),
        "a guest buys": over(demo, shopping.buys_as_guest, 1280),
        "a guest buys, 390 pixels wide": over(demo, shopping.buys_as_guest, 390),
        "a guest buys, 320 pixels wide": over(demo, shopping.buys_as_guest, 320),
        "a customer buys": over(demo, shopping.buys_as_customer, 1280),
        "a customer buys, 390 pixels wide": over(demo, shopping.buys_as_customer, 390),
        "no script": over(demo, shopping.without_script),
        "quantities": over(demo, shopping.changes_quantities),
        "a discount": over(demo, shopping.discount),
        "filters": over(demo, shopping.filters_by_word, 1280),
        "filters, 320 pixels wide": over(demo, shopping.filters_by_word, 320),
        "a search": over(demo, shopping.searches_while_typing),
        "filter of the documentation": over(demo, shopping.filters_documentation),
        "documentation": over(demo, shopping.reads_documentation),
        "a state of the address": lambda: regions.state_decides_on_the_total(browser, program, demo.folder),
        "languages": over(demo, shopping.switches_language),
        "a slow network": over(demo, trouble.slow_network),
        "a double click": over(demo, trouble.double_click),
        "a pressed button": over(demo, trouble.pressed_button),
        "two tabs": over(demo, trouble.two_tabs),
        "the back button": over(demo, trouble.back_button),
        "a page that comes back": over(demo, trouble.page_that_comes_back),
        "declined cards": over(demo, trouble.declined_card),
        "keys at the checkout": over(demo, trouble.keyboard_at_checkout),
        "wrong fields": over(demo, trouble.wrong_fields),
        "sold out": over(demo, trouble.sold_out),
        "a kangaroo": over(demo, kangaroo.delivers_by_kangaroo),
        "a new account": over(demo, accounts.signs_up),
        "addresses": over(demo, accounts.addresses),
        "profile and password": over(demo, accounts.profile_and_password),
        "a forgotten password": over(demo, accounts.forgotten_password),
        "export and end of an account": over(demo, accounts.export_and_end),
        "the first day of a shop": over(empty, merchant.opens_the_shop),
        "keys of the administration": over(empty, merchant.keyboard),
        "a session that ends": over(empty, merchant.ended_session),
        "a conflict": over(empty, merchant.conflict),
        "discounts and prices": over(empty, admin.discount_and_price),
        "webhooks": over(empty, admin.webhook),
        "staff and API keys": over(empty, admin.staff_and_keys),
        "files in and out": over(empty, admin.files),
        "a second factor": over(empty, accounts.second_factor),
        "hostile texts": over(empty, security.hostile_texts),
        "frames of other sites": over(empty, security.frames),
        "forms of other sites": over(empty, security.foreign_forms),
        "cookies": over(empty, security.cookies),
        "history after the sign-out": over(empty, security.history_after_sign_out),
        "every page": over(demo, pages.every_page, demo.folder / "pages"),
    }


def main(program, words):
    # The servers end, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    started, failed = time.monotonic(), []
    with Shop(program) as demo, Shop(program, demo=False, name="Tea & Wool") as empty, sync_playwright() as playwright:
        browser = chromium(playwright)
        chosen = {
            name: test for name, test in tests(browser, demo, empty, program).items()
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
    program, *words = tool.words(__doc__, 1)
    main(program, words)

"""A customer's account in the browser, from the sign-up to its end, and the second factor of the staff."""

import base64
import hashlib
import hmac
import json
import struct
import time

from playwright.sync_api import expect

from shop_server import OWNER, PASSWORD
from visitor import Visitor

NEW_PASSWORD = "wool is warmer than steel"
# On a busy machine a code may be too old when the server gets it. Then another one is sent.
TRIES = 5


def one_time_password(secret, period):
    """The code of an authenticator app (RFC 6238) for a period of 30 seconds."""
    key = base64.b32decode(secret.replace(" ", "").upper() + "=" * (-len(secret.replace(" ", "")) % 8))
    digest = hmac.digest(key, struct.pack(">Q", period), hashlib.sha1)
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place:place + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def signs_up(browser, shop):
    """The name of a new account is text, and its address is confirmed by the link of a mail."""
    with Visitor(browser, shop) as ann:
        ann.opens("/account").sees("/sign-in").checks().follows("Create an account").sees("/sign-up").checks()
        ann.fills(name="Ann <b>Kangaroo</b>", email="ann.signs.up@example.com", password=PASSWORD)
        ann.clicks("Create an account").sees("/(account)?")
        ann.opens("/account").checks()
        assert "Ann <b>Kangaroo</b>" in ann.tab.locator("main").inner_text()
        assert ann.tab.locator("form[action='/account/email/verification']").count()
        ann.tab.goto(shop.link("ann.signs.up@example.com", "Confirm your e-mail address for Pouch Knitwear"))
        expect(ann.tab.locator("main .notice.is-good, main h1")).not_to_have_count(0)
        ann.opens("/account/email").checks()
        expect(ann.tab.locator("main")).to_contain_text("Confirmed")
        # The same address again is refused, without a word about the password.
        with Visitor(browser, shop) as bob:
            bob.opens("/sign-up").fills(name="Bob", email="ann.signs.up@example.com", password=PASSWORD)
            with bob.refused(409, 422):
                bob.clicks("Create an account")
            bob.checks()
            assert bob.alert() and PASSWORD not in bob.tab.content()


def addresses(browser, shop):
    """An address is added, changed and deleted."""
    shop.add_customer("addresses@example.com")
    with Visitor(browser, shop) as ann:
        ann.signs_in("addresses@example.com").opens("/account/addresses").checks()
        ann.follows("Add an address").sees("/account/addresses/new").checks()
        ann.fills(
            address__name="Ann", address__country="AT", address__line1="Ring 1", address__postalCode="1010",
            address__city="Wien").clicks("Save").sees("/account/addresses").checks()
        expect(ann.tab.locator("main address")).to_contain_text("Ring 1")
        ann.tab.locator("main .card a").first.click()
        ann.sees("/account/addresses/.+").checks()
        assert ann.tab.locator("#address-country").input_value() == "AT"
        ann.fills(address__line1="Ring 2").clicks("Save").sees("/account/addresses")
        expect(ann.tab.locator("main address")).to_contain_text("Ring 2")
        ann.tab.locator("main form[action$='/delete'] button").click()
        expect(ann.tab.locator("main address")).to_have_count(0)


def profile_and_password(browser, shop):
    """A new name, a new password, and the end of the other sessions that it brings."""
    shop.add_customer("profile@example.com")
    with Visitor(browser, shop) as ann, Visitor(browser, shop) as elsewhere:
        elsewhere.signs_in("profile@example.com")
        ann.signs_in("profile@example.com").opens("/account/profile").checks()
        ann.fills(name="Ann Renamed", mobileNumber="+49 170 1234567").clicks("Save")
        expect(ann.tab.locator("#name")).to_have_value("Ann Renamed")
        ann.opens("/account/sessions").checks()
        # With that of the sign-up.
        assert ann.tab.locator("main .rows > li").count() == 3
        ann.opens("/account/password").checks().fills(currentPassword="wrong password", newPassword=NEW_PASSWORD)
        with ann.refused(401, 403, 409, 422):
            ann.clicks("Change password")
        assert ann.alert()
        ann.fills(currentPassword=PASSWORD, newPassword=NEW_PASSWORD).clicks("Change password")
        expect(ann.tab.locator("main [role=alert]")).to_have_count(0)
        ann.opens("/account/sessions")
        assert ann.tab.locator("main .rows > li").count() == 1, "The other session has not ended."
        elsewhere.opens("/account/profile").sees("/sign-in")
        with elsewhere.refused(401, 422):
            elsewhere.fills(email="profile@example.com", password=PASSWORD).clicks("Sign in")
        assert elsewhere.alert()
        elsewhere.checks()
        # A session is ended from the list, too.
        elsewhere.signs_in("profile@example.com", NEW_PASSWORD)
        ann.opens("/account/sessions").tab.locator("main .rows form button").click()
        expect(ann.tab.locator("main .rows > li")).to_have_count(1)
        elsewhere.opens("/account/profile").sees("/sign-in")


def forgotten_password(browser, shop):
    """The link of a mail, which counts once."""
    shop.add_customer("forgotten@example.com")
    with Visitor(browser, shop) as ann:
        ann.opens("/sign-in").follows("Forgot your password?").sees("/reset-password/request").checks()
        ann.fills(email="forgotten@example.com").clicks("Send the link")
        link = shop.link("forgotten@example.com", "Choose a new password")
        ann.tab.goto(link)
        # The secret is in no address that a server or another site could see.
        ann.sees("/reset-password").checks()
        expect(ann.tab.locator("#token")).to_be_hidden()
        assert "#" not in ann.tab.url, ann.tab.url
        ann.fills(newPassword=NEW_PASSWORD).clicks("Save password")
        expect(ann.tab.locator("main #newPassword")).to_have_count(0)
        ann.signs_in("forgotten@example.com", NEW_PASSWORD)
        ann.opens("/reset-password").tab.goto("about:blank")
        ann.tab.goto(link)
        with ann.refused(404, 409, 410, 422, 403):
            ann.fills(newPassword=PASSWORD).clicks("Save password")
        assert ann.alert()


def export_and_end(browser, shop):
    """All data as a file, then the end of the account."""
    shop.add_customer("leaves@example.com", "Ann Leaves")
    with Visitor(browser, shop) as ann:
        ann.signs_in("leaves@example.com").opens("/account/data").checks()
        with ann.tab.expect_download() as download:
            ann.follows("Download my data")
        data = json.loads(download.value.path().read_text())
        assert "leaves@example.com" in json.dumps(data), data
        ann.fills(password="wrong password")
        with ann.refused(401, 403, 409, 422):
            ann.clicks("Delete my account")
        assert ann.alert()
        ann.fills(password=PASSWORD).clicks("Delete my account")
        expect(ann.tab.locator("main form[action='/account/data/delete']")).to_have_count(0)
        ann.checks().opens("/account").sees("/sign-in")
        with ann.refused(401, 422):
            ann.fills(email="leaves@example.com", password=PASSWORD).clicks("Sign in")


def sends_code(visitor, button, secret, last=0, **fields):
    """Sends the code of the current period, or of the one after the last, since a code counts once.

    Returns the period; None if the server refuses the code.
    """
    period = max(int(time.time()) // 30, last + 1)
    with visitor.tab.expect_response(lambda response: response.request.method == "POST") as answer:
        visitor.fills(f__code=one_time_password(secret, period), **fields).clicks(button)
    status = answer.value.status
    if status < 400:
        return period
    visitor.tab.wait_for_load_state()
    visitor.forgives(f"status of {status}")
    return None


def turns_on(olive):
    """Sets up an app, and turns the second factor on with a code of it. Returns the secret, and the period of the code."""
    for _ in range(TRIES):
        olive.opens("/admin/second-factor").clicks("Set up two-factor authentication")
        secret = olive.tab.locator("main code.admin-secret").inner_text()
        if period := sends_code(olive, "Turn on", secret):
            return secret, period
    raise AssertionError("No code turns the second factor on.")


def signs_in_with_app(visitor, secret, last):
    """Signs in at the administration with a code after that of the last period."""
    visitor.opens("/admin/sign-in").fills(f__email=OWNER, f__password=PASSWORD)
    with visitor.refused(401, 422, 403):
        visitor.clicks("Sign in")
    for _ in range(TRIES):
        if sends_code(visitor, "Sign in", secret, last, f__password=PASSWORD):
            return visitor.sees("/admin")
    raise AssertionError("No code signs in.")


def second_factor(browser, shop):
    """A member of the staff sets up an authenticator app, signs in with it, loses it, and uses a recovery code."""
    with Visitor(browser, shop) as olive:
        olive.signs_in_as_staff(OWNER).opens("/admin/second-factor").checks()
        olive.clicks("Set up two-factor authentication")
        olive.checks().fills(f__code="000000")
        with olive.refused(401, 403, 422):
            olive.clicks("Turn on")
        assert olive.alert()
        secret, period = turns_on(olive)
        expect(olive.tab.locator(".admin-codes li")).to_have_count(10)
        codes = olive.tab.locator(".admin-codes li").all_inner_texts()
        olive.checks()
        with Visitor(browser, shop) as other:
            signs_in_with_app(other, secret, period).checks()
        with Visitor(browser, shop) as lost:
            lost.signs_in_as_staff(OWNER, code=codes[0])
            with Visitor(browser, shop) as thief:
                thief.opens("/admin/sign-in").fills(f__email=OWNER, f__password=PASSWORD)
                with thief.refused(401, 403, 422):
                    thief.clicks("Sign in")
                thief.checks().fills(f__password=PASSWORD, f__code=codes[0])
                with thief.refused(401, 403, 422):
                    thief.clicks("Sign in")
            lost.opens("/admin/second-factor").tab.click("summary:has-text('Turn off')")
            lost.clicks("Turn off two-factor authentication")
            expect(lost.tab.get_by_role("button", name="Set up two-factor authentication")).to_be_visible()

"""Generates a client from the server's OpenAPI document, buys with it, and is refused with typed problems.

usage: generated_client.py             (the address of a demo server in POUCH_SERVER)
"""

import importlib
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request
import uuid
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tool  # noqa: E402


if __name__ == "__main__":
    tool.words(__doc__, 0, 0)
URL = os.environ["POUCH_SERVER"]
# A product of the demo. The server is this program's own, so its stock is that of the feed.
PRODUCT, STOCK = "cinder-jumper", 39
PACKAGE = "pouch_client"


def generate(folder):
    """Generates the client and returns its folder; no part of the document may be left out of it."""
    document = folder / "openapi.json"
    with urllib.request.urlopen(URL + "/openapi.json") as answer:
        document.write_bytes(answer.read())
    tools = pathlib.Path(sys.executable).parent
    run = subprocess.run(
        [tools / "openapi-python-client", "generate", "--path", document, "--output-path", folder / "client"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"})
    if run.returncode != 0 or "warning" in run.stdout.lower():
        raise SystemExit(f"The client cannot be generated without warnings:\n{run.stdout}")
    return folder / "client"


def part(name):
    return importlib.import_module(f"{PACKAGE}.{name}")


class Buyer:
    """A guest of the shop, with the generated functions and types only."""

    def __init__(self):
        self.models = part("models")
        anyone = part("client").Client(base_url=URL, raise_on_unexpected_status=True)
        session = part("api.sessions.start_guest_session").sync(client=anyone)
        assert isinstance(session, self.models.UserSession), session
        self.client = part("client").AuthenticatedClient(
            base_url=URL, token=session.remote_session.access_token, raise_on_unexpected_status=True)

    def sku(self):
        """The variant of which the shop has most."""
        product = part("api.catalogue.product").sync(PRODUCT, client=self.client)
        assert isinstance(product, self.models.Product), product
        variant = max(product.variants, key=lambda variant: variant.available)
        assert variant.available == STOCK, variant
        return variant.sku

    def preview(self, sku):
        preview = part("api.orders.preview_order").sync(
            client=self.client, body=self.models.PreviewRequest.from_dict(self.purchase(sku)))
        assert isinstance(preview, self.models.OrderPreview), preview
        return preview

    def buy(self, sku, total, card="tok_ok"):
        body = self.purchase(sku) | {
            "paymentMethod": {"type": "card", "token": card}, "expectedTotal": total, "email": "ann@example.com"}
        return part("api.orders.buy_now").sync(
            client=self.client, body=self.models.BuyNowRequest.from_dict(body), idempotency_key=uuid.uuid4().hex)

    @staticmethod
    def purchase(sku):
        return {
            "lines": [{"sku": sku, "quantity": 1}], "methodId": "standard",
            "address": {"name": "Ann", "line1": "1 High Street", "city": "Sydney", "postalCode": "2000", "country": "AU"},
        }

    def refused(self, answer, code, status):
        assert isinstance(answer, self.models.ProblemDetails), answer
        assert answer.code is self.models.ProblemDetailsCode(code) and answer.status == status, answer
        return answer


def buy_and_be_refused():
    buyer = Buyer()
    sku = buyer.sku()
    total = buyer.preview(sku).totals.total
    order = buyer.buy(sku, total.to_dict())
    assert isinstance(order, buyer.models.Order) and order.status is buyer.models.OrderStatus.PAID, order
    print(f"Order {order.number} is paid.")

    declined = buyer.refused(buyer.buy(sku, total.to_dict(), card="tok_insufficient_funds"), "payment_declined", 402)
    assert declined.decline_code == "insufficient_funds", declined
    changed = buyer.refused(buyer.buy(sku, {"amount": 1, "currency": total.currency}), "price_changed", 409)
    assert isinstance(changed.changes, list), changed
    buyer.refused(buyer.buy("no-such-sku", total.to_dict()), "unknown_sku", 404)
    invalid = buyer.refused(buyer.buy(sku, {"amount": 1, "currency": "doubloons"}), "validation_failed", 422)
    assert [error.field for error in invalid.errors], invalid
    strange = part("client").AuthenticatedClient(base_url=URL, token="no token")
    buyer.refused(part("api.orders.orders").sync(client=strange), "unauthenticated", 401)
    print("Five refusals have their types.")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, str(generate(pathlib.Path(folder))))
        buy_and_be_refused()

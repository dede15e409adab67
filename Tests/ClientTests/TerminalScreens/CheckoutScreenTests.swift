import ClientTesting
import Foundation
import PouchEntities
import PouchScreens
import PouchTerminal
import PouchTerminalScreens
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CartScreenTests {
    private let shown = ScreenUnderTest()

    @discardableResult
    private func showCart() -> any CartScreen {
        let screen = shown.show(shown.factory.makeCartScreen())
        screen.cart = LoadState(Sample.cart)
        return screen
    }

    @Test func `the cart shows its lines, its totals, changes by the shop, and changes that are waiting to be sent`() {
        let screen = showCart()
        screen.changes = [.quantity(sku: "wool-scarf", .quantityReduced, from: 4, to: 3)]
        screen.status = ShopStatus(cart: CartBadge(unitCount: 5, pendingChanges: 1), connectivity: .offline)
        #expect(
            shown.lines == [
                " Pouch  Cart                                       OFFLINE · Cart 5 · 1 to send",
                "  1 change is pending and will be sent once the shop is reachable.",
                "",
                "  Wool Scarf: the quantity was reduced from 4 to 3 because stock is low.",
                "",
                "› 2 × Ribbed Cardigan, Black / S                                    258.00 EUR",
                "  3 × Wool Scarf                                       only 2 left  128.97 EUR",
                "",
                "  Discount code",
                "",
                "  Items                                                             386.97 EUR",
                "  Shipping                                                          not chosen",
                "  Tax, included                                                      65.31 EUR",
                "  Total                                                             391.87 EUR",
                "",
                "  [ Check out ]",
                "  [ Empty cart ]",
                "", "", "", "", "",
                "Enter open  + - quantity  x remove  p check out  ↑↓ move  Esc back  h home",
                "c cart  a account  o orders  r refresh  q leave",
            ])
    }

    @Test func `a cart that could not be refreshed shows its age above its lines`() {
        let screen = shown.show(shown.factory.makeCartScreen())
        screen.cart = LoadState(Sample.cart, asOf: Date.sample)
        #expect(shown.lines[1] == "  Not up to date: as of 2027-01-15 08:00.")
        #expect(shown.lines[3].hasPrefix("› 2 × Ribbed Cardigan"))
    }

    @Test func `keys change the focused line; removing asks first`() async throws {
        showCart()
        try await shown.press(.character("+"), sends: EditCart.set(sku: "cardigan-black-s", quantity: 3))
        try await shown.wait(for: "p check out")
        try await shown.press(.down, .character("-"), sends: EditCart.set(sku: "wool-scarf", quantity: 2))
        try await shown.wait(for: "p check out")
        shown.press(.character("x"))
        #expect(shown.text.contains("Remove Wool Scarf?"))
        #expect(shown.lines.last == "Enter remove  Esc keep it")
        try await shown.press(.escape, .character("x"), .enter, sends: EditCart.remove(sku: "wool-scarf"))
    }

    @Test func `quick key presses add up, none is lost, and a failed change is retried as a whole`() async throws {
        showCart()
        let gate = shown.shop.hold()
        try await shown.press(.character("+"), sends: EditCart.set(sku: "cardigan-black-s", quantity: 3))
        shown.press(.character("+"), .character("+"), .down, .character("-"))
        #expect(shown.text.contains("5 × Ribbed Cardigan") && shown.text.contains("2 × Wool Scarf"))
        gate.open()
        try await shown.wait(for: "p check out")
        let sent = shown.shop.messages.compactMap { $0.base as? EditCart }
        let quantities: [Int] = sent.compactMap {
            if case .set("cardigan-black-s", let quantity) = $0 { quantity } else { nil }
        }
        #expect(quantities == [3, 5])
        #expect(sent.contains(EditCart.set(sku: "wool-scarf", quantity: 2)))
        shown.shop.failure = ScreenFailure("The server cannot be reached.", remedy: .retry)
        shown.press(.character("-"))
        try await shown.wait(for: "cannot be reached")
        #expect(shown.text.contains("3 × Wool Scarf"))
        shown.shop.failure = nil
        let count = shown.shop.messages.count
        shown.press(.character("r"))
        #expect(
            try await shown.messages(count + 1)[count] == AnyHashable(EditCart.set(sku: "wool-scarf", quantity: 2)))
    }

    @Test func `a discount code can be applied and removed`() async throws {
        let screen = showCart()
        shown.press(.down, .down)
        shown.type("SPRING")
        try await shown.press(.enter, sends: ApplyDiscount(code: "SPRING"))
        let discount = CartDiscount(code: "SPRING", amount: Fixture.euros(0))
        screen.cart = LoadState(Cart.sample(version: 2, lines: Sample.lines, discount: discount))
        #expect(shown.text.contains("does not reduce this cart yet"))
        #expect(shown.text.contains("[ Remove SPRING ]"))
        try await shown.wait(for: "p check out")
        try await shown.press(.home, .down, .down, .enter, sends: RemoveDiscount())
    }

    @Test func `an empty cart leads to the shop, a full one to the checkout`() async throws {
        let screen = showCart()
        try await shown.press(.character("p"), sends: BeginCheckout())
        screen.cart = LoadState(Fixture.cart())
        #expect(shown.text.contains("The cart is empty."))
        try await shown.wait(for: "q leave")
        try await shown.press(.enter, sends: ShopPage.listing(ProductQuery()))
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CheckoutScreenTests {
    private let shown = ScreenUnderTest()
    private static let methods = [
        Sample.standard,
        ShippingMethod(id: "express", name: "Express", price: Fixture.euros(1490), estimate: "tomorrow"),
    ]

    @Test func `the user enters an address, sees its delivery options, and chooses one`() async throws {
        let screen = shown.show(shown.factory.makeShippingScreen())
        for text in ["Ann Example", "1 High Street", "", "2000", "Sydney", "", "au"] {
            shown.type(text, .down)
        }
        #expect(!shown.text.contains("Continue to payment"))
        try await shown.press(.enter, sends: FindShippingMethods(country: "AU", postalCode: "2000"))
        screen.methods = LoadState(Self.methods)
        try await shown.wait(for: "› Delivery          [Standard, 4.90 EUR]  Express, 14.90 EUR")
        shown.press(.right)
        #expect(shown.text.contains("Standard, 4.90 EUR  [Express, 14.90 EUR]\n  tomorrow"))
        try await shown.press(.down, .enter, sends: ChooseDelivery(methodId: "express", to: Sample.address))
    }

    @Test func `a changed address needs new delivery options, and missing fields are reported`() {
        let screen = shown.show(shown.factory.makeShippingScreen())
        screen.address = Sample.address
        screen.methods = LoadState(Self.methods)
        #expect(shown.text.contains("Continue to payment"))
        shown.press(.down, .down, .down, .control("u"))
        #expect(!shown.text.contains("Continue to payment"))
        shown.press(.pageDown, .enter)
        #expect(shown.text.contains("› Postal code\n    This field is required."))
        shown.type("2000", .down, .down, .down)
        shown.type("strali", .pageDown, .enter)
        #expect(shown.text.contains("› Country           AUstrali\n    Enter the country's English name"))
        shown.type("a")
        #expect(!shown.text.contains("English name"))
        #expect(shown.shop.messages.isEmpty)
    }

    @Test func `delivery options that arrive during typing are not shown for the new address`() {
        let screen = shown.show(shown.factory.makeShippingScreen())
        screen.methods = .loading
        shown.press(.down, .down, .down)
        shown.type("2000")
        screen.methods = LoadState(Self.methods)
        #expect(shown.text.contains("› Postal code       2000") && !shown.text.contains("Continue to payment"))
        shown.press(.control("u"))
        #expect(shown.text.contains("Continue to payment"))
    }

    @Test func `for a kangaroo, a place is searched and chosen, and stays until the address changes`() async throws {
        let shown = ScreenUnderTest(rows: 34)
        let screen = shown.show(shown.factory.makeShippingScreen())
        screen.address = Sample.address
        screen.methods = LoadState(Self.methods)
        #expect(shown.text.contains("For same-day delivery by kangaroo, choose a place nearby."))
        // Past eight fields, the delivery options and the button below them.
        for _ in 1...10 { shown.press(.down) }
        #expect(shown.text.contains("› Place nearby"))
        // The other options need no place.
        shown.press(.enter)
        #expect(shown.text.contains("› [ Continue to payment ]"))
        shown.press(.down)
        shown.type("opera")
        try await shown.press(.enter, sends: FindPlaces(matching: "opera"))
        screen.places = LoadState([])
        try await shown.wait(for: "No matching places.")
        screen.places = LoadState([NamedLocation.sample()])
        try await shown.wait(for: "› Sydney Opera House")
        shown.press(.enter)
        let opera = NamedLocation.sample().location
        #expect(
            try await shown.messages(2)[1]
                == AnyHashable(FindShippingMethods(country: "AU", postalCode: "2000", location: opera)))
        screen.methods = LoadState(Self.methods + [Sample.kangaroo])
        try await shown.wait(for: "› Delivery          [Standard, 4.90 EUR]")
        try await shown.wait(for: "Kangaroo, 7.00 EUR")
        try await shown.wait(for: "A kangaroo can deliver to: Sydney Opera House.")
        try await shown.wait(for: "q leave")
        shown.press(.right, .right, .down, .enter)
        let address = Address(
            name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU",
            location: opera)
        #expect(try await shown.messages(3)[2] == AnyHashable(ChooseDelivery(methodId: "kangaroo", to: address)))
        try await shown.wait(for: "q leave")
        shown.press(.home, .down)
        shown.type(" b")
        #expect(!shown.text.contains("A kangaroo can deliver to"))
        #expect(!shown.text.contains("Continue to payment"))
        try await shown.press(.pageDown, .enter, sends: FindShippingMethods(country: "AU", postalCode: "2000"))
    }

    @Test func `a delivery option that needs a location moves the focus to the place`() async throws {
        let shown = ScreenUnderTest(rows: 34)
        let screen = shown.show(shown.factory.makeShippingScreen())
        screen.address = Sample.address
        screen.methods = LoadState(Self.methods)
        shown.shop.failure = ScreenFailure(
            "This shipping method needs a location.", remedy: .correct,
            fields: [.init(name: "address.location", text: "This field is required.")])
        for _ in 1...9 { shown.press(.down) }
        shown.press(.enter)
        try await shown.wait(for: "This shipping method needs a location.")
        shown.press(.enter)
        #expect(shown.text.contains("› Place nearby\n    This field is required."))
    }

    @Test func `a saved address fills the fields`() {
        let screen = shown.show(shown.factory.makeShippingScreen())
        screen.savedAddresses = [Sample.address]
        #expect(shown.text.contains("› Ann Example, 1 High Street, 2000 Sydney, AU"))
        shown.press(.enter)
        #expect(shown.text.contains("City              Sydney"))
        #expect(shown.text.contains("› [ Show delivery options ]"))
    }

    @Test func `a payment shows the purchase, asks guests for an e-mail, and cannot be cancelled`() async throws {
        let screen = shown.show(shown.factory.makePaymentScreen())
        screen.needsEmail = true
        screen.purchase = LoadState(Purchase(lines: Sample.lines, totals: Sample.totals, shipping: Sample.shipping))
        #expect(
            shown.lines == [
                " Pouch  Payment                                                          Cart –",
                "  2 × Ribbed Cardigan, Black / S                                    258.00 EUR",
                "  3 × Wool Scarf                                       only 2 left  128.97 EUR",
                "",
                "  Items                                                             386.97 EUR",
                "  Shipping                                                            4.90 EUR",
                "  Tax, included                                                      65.31 EUR",
                "  Total                                                             391.87 EUR",
                "  Delivery standard, to Ann Example, 1 High Street, 2000 Sydney, AU",
                "",
                "› E-mail",
                "  Card token",
                "  Enter a token such as tok_ok, never a card number.",
                "",
                "  [ Pay 391.87 EUR ]",
                "  Sign in instead",
                "", "", "", "", "", "", "",
                "Enter next  ↑↓ move  Esc back",
            ])
        shown.type("ann@example.com", .enter)
        shown.type("tok_ok")
        let gate = shown.shop.hold()
        try await shown.press(.enter, sends: Pay(cardToken: "tok_ok", email: "ann@example.com"))
        #expect(shown.text.contains("Paying …"))
        shown.press(.escape, .tab, .tab, .left, .backspace)
        #expect(shown.departures.value == 0)
        #expect(shown.lines.last?.contains("please wait") == true)
        gate.open()
        try await shown.wait(for: "Enter next")
    }

    @Test func `a card number is neither sent nor left on the screen`() {
        let screen = shown.show(shown.factory.makePaymentScreen())
        screen.purchase = LoadState(Purchase(lines: [], totals: Sample.totals))
        shown.type("4111 1111 1111 1111", .enter)
        #expect(shown.text.contains("› Card token\n    Never send a card number"))
        #expect(!shown.text.contains("4111"))
        #expect(shown.shop.messages.isEmpty)
    }

    @Test func `a payment of unknown outcome can be retried; a changed price has to be reviewed first`() async throws {
        let screen = shown.show(shown.factory.makePaymentScreen())
        screen.purchase = LoadState(Purchase(lines: [], totals: Sample.totals))
        shown.type("tok_ok")
        shown.shop.failure = ScreenFailure("The server did not answer in time.", remedy: .retry)
        try await shown.press(.enter, sends: Pay(cardToken: "tok_ok"), then: "did not answer")
        #expect(shown.lines.last == "Enter OK  r try again")
        shown.shop.failure = ScreenFailure("The price has changed.", remedy: .review)
        try await shown.press(.character("r"), sends: Pay(cardToken: "tok_ok"), then: "The price has changed.")
        #expect(shown.lines.last == "Enter OK")
    }
}

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
        let screen = shown.factory.makeCartScreen()
        screen.cart = LoadState(Sample.cart)
        shown.show(screen)
        return screen
    }

    @Test("The cart shows its lines, its totals, changes by the shop, and changes that are waiting to be sent")
    func cart() {
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
                "  [ Empty the cart ]",
                "", "", "", "", "",
                "Enter open  + - quantity  x remove  p check out  ↑↓ move  Esc back  h home",
                "c cart  a account  o orders  r refresh  q leave",
            ])
    }

    @Test("A cart that could not be refreshed shows its age above its lines")
    func oldCart() {
        let screen = shown.factory.makeCartScreen()
        screen.cart = LoadState(Sample.cart, asOf: Date.sample)
        shown.show(screen)
        #expect(shown.lines[1] == "  Not up to date: as of 2027-01-15 08:00.")
        #expect(shown.lines[3].hasPrefix("› 2 × Ribbed Cardigan"))
    }

    @Test("Keys change the focused line; removing asks first")
    func lines() async throws {
        showCart()
        shown.press(.character("+"))
        #expect(try await shown.messages(1) == [SetCartQuantity(sku: "cardigan-black-s", quantity: 3)])
        try await shown.wait(for: "p check out")
        shown.press(.down, .character("-"))
        #expect(try await shown.messages(2)[1] == SetCartQuantity(sku: "wool-scarf", quantity: 2))
        try await shown.wait(for: "p check out")
        shown.press(.character("x"))
        #expect(shown.text.contains("Remove Wool Scarf?"))
        #expect(shown.lines.last == "Enter remove  Esc keep it")
        shown.press(.escape, .character("x"), .enter)
        #expect(try await shown.messages(3)[2] == RemoveFromCart(sku: "wool-scarf"))
    }

    @Test("Quick key presses add up, none is lost, and a failed change is retried as a whole")
    func hurry() async throws {
        showCart()
        let gate = Gate()
        shown.shop.gate = gate
        shown.press(.character("+"))
        #expect(try await shown.messages(1) == [SetCartQuantity(sku: "cardigan-black-s", quantity: 3)])
        shown.press(.character("+"), .character("+"), .down, .character("-"))
        #expect(shown.text.contains("5 × Ribbed Cardigan"))
        #expect(shown.text.contains("2 × Wool Scarf"))
        gate.open()
        try await shown.wait(for: "p check out")
        let sent = shown.shop.messages.compactMap { $0.base as? SetCartQuantity }
        #expect(sent.filter { $0.sku == "cardigan-black-s" }.map(\.quantity) == [3, 5])
        #expect(sent.contains(SetCartQuantity(sku: "wool-scarf", quantity: 2)))
        shown.shop.failure = ScreenFailure("The server cannot be reached.", remedy: .retry)
        shown.press(.character("-"))
        try await shown.wait(for: "cannot be reached")
        #expect(shown.text.contains("3 × Wool Scarf"))
        shown.shop.failure = nil
        let count = shown.shop.messages.count
        shown.press(.character("r"))
        #expect(try await shown.messages(count + 1)[count] == SetCartQuantity(sku: "wool-scarf", quantity: 2))
    }

    @Test("A discount code can be applied and removed")
    func discount() async throws {
        let screen = showCart()
        shown.press(.down, .down)
        shown.type("SPRING")
        shown.press(.enter)
        #expect(try await shown.messages(1) == [ApplyDiscount(code: "SPRING")])
        screen.cart = LoadState(
            Cart(
                id: "crt_1", version: 2, lines: Sample.lines,
                discount: CartDiscount(code: "SPRING", amount: Fixture.euros(0)),
                totals: Sample.totals, changes: [], updatedAt: Date.sample))
        #expect(shown.text.contains("does not reduce this cart yet"))
        #expect(shown.text.contains("[ Remove SPRING ]"))
        try await shown.wait(for: "p check out")
        shown.press(.home, .down, .down, .enter)
        #expect(try await shown.messages(2)[1] == RemoveDiscount())
    }

    @Test("An empty cart leads to the shop, a full one to the checkout")
    func ways() async throws {
        let screen = showCart()
        shown.press(.character("p"))
        #expect(try await shown.messages(1) == [BeginCheckout()])
        screen.cart = LoadState(Fixture.cart())
        #expect(shown.text.contains("The cart is empty."))
        try await shown.wait(for: "q leave")
        shown.press(.enter)
        #expect(try await shown.messages(2)[1] == ShopPage.listing(ProductQuery()))
    }
}

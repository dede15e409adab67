import ClientTesting
import Foundation
import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal
import PouchTerminalScreens
import PouchTesting
import Testing

/// A window of 80 by 24 whose screens send their messages to a recording shop.
@MainActor
final class ScreenUnderTest {
    let window: ShopWindow
    let factory: TerminalScreenFactory
    let shop = RecordingShop()
    /// Counts how often the user has left the shop.
    let departures = Counter()
    private let size: TerminalSize
    private var screens: [any ShopScreen] = []

    init(columns: Int = 80, rows: Int = 24, clock: any Clock<Duration> = ManualClock()) {
        size = TerminalSize(columns: columns, rows: rows)
        window = ShopWindow(clock: clock, timeZone: .gmt, redraw: {}, quit: { [departures] in departures.increment() })
        factory = TerminalScreenFactory(window)
    }

    /// Shows a screen, and returns it.
    @discardableResult
    func show<Shown: ShopScreen>(_ screen: Shown) -> Shown {
        show(stack: [screen])
        return screen
    }

    func show(stack screens: [any ShopScreen]) {
        self.screens = screens
        for screen in screens { screen.coordinatingResponder = shop }
        window.surface.show(screens)
    }

    var lines: [String] {
        var canvas = Canvas(size)
        window.draw(on: &canvas)
        return canvas.lines
    }

    var text: String { lines.joined(separator: "\n") }

    func press(_ keys: Key...) {
        for key in keys {
            _ = lines
            window.press(key)
        }
    }

    /// Types a text, and then presses keys.
    func type(_ text: String, _ keys: Key...) {
        for character in text { press(.character(character)) }
        for key in keys { press(key) }
    }

    /// Presses keys, and expects that this sends the message alone. Then waits for a text.
    func press<Sent: Hashable>(
        _ keys: Key..., sends message: Sent, then text: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let count = shop.messages.count
        for key in keys { press(key) }
        let sent = try await messages(count + 1).dropFirst(count)
        #expect(Array(sent) == [AnyHashable(message)], sourceLocation: sourceLocation)
        if !text.isEmpty { try await wait(for: text, sourceLocation: sourceLocation) }
    }

    /// Waits for a number of messages, and returns all.
    func messages(_ count: Int) async throws -> [AnyHashable] {
        try await wait { self.shop.messages.count >= count }
        return shop.messages
    }

    /// Waits until the screen shows a text.
    func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        do {
            try await wait(sourceLocation: sourceLocation) { self.text.contains(text) }
        } catch {
            Issue.record("waited for “\(text)”, but saw\n\(self.text)", sourceLocation: sourceLocation)
            throw error
        }
    }

    /// - Throws: when the time limit of the test has passed.
    func wait(sourceLocation: SourceLocation = #_sourceLocation, until isMet: () -> Bool) async throws {
        try await eventually(sourceLocation: sourceLocation, isMet)
    }
}

/// The receiver of a screen's messages: records them, and can delay or refuse them.
@MainActor
final class RecordingShop: MessageHandling {
    let coordinatingResponder: (any Responder)? = nil
    var handlers = MessageHandlers()
    private(set) var messages: [AnyHashable] = []
    var failure: ScreenFailure?
    private var gate: Gate?

    /// Lets messages wait.
    func hold() -> Gate {
        let gate = Gate()
        self.gate = gate
        return gate
    }

    init() {
        recordAll(ShopPage.self)
        recordAll(Refresh.self)
        recordAll(NarrowList.self)
        recordAll(ShowMoreProducts.self)
        handle(EditCart.self) { shop, message in
            try await shop.record(message)
            return CartBadge(unitCount: 7)
        }
        recordAll(ApplyDiscount.self)
        recordAll(RemoveDiscount.self)
        recordAll(BeginCheckout.self)
        recordAll(FindShippingMethods.self)
        recordAll(FindPlaces.self)
        recordAll(ChooseDelivery.self)
        handle(BuyNow.self) { try await $0.record(Purchased(sku: $1.sku, quantity: $1.quantity)) }
        recordAll(Pay.self)
        recordAll(ShowOrderStatus.self)
        recordAll(SignIn.self)
        recordAll(Register.self)
        recordAll(SignOut.self)
        recordAll(UpdateProfile.self)
        recordAll(ChangePassword.self)
        recordAll(DeleteAccount.self)
        recordAll(CancelOrder.self)
        recordAll(ChangeDelivery.self)
        recordAll(ShowMoreOrders.self)
    }

    private func recordAll<Recorded: Message & Hashable>(_ type: Recorded.Type) where Recorded.Answer == Void {
        handle(type) { try await $0.record($1) }
    }

    private func record(_ message: AnyHashable) async throws {
        messages.append(message)
        if let gate {
            await gate.pass()
            try Task.checkCancellation()
        }
        if let failure { throw failure }
    }
}

/// A `BuyNow` without its sender.
struct Purchased: Hashable {
    let sku: String
    let quantity: Int
}

/// The content of a small shop.
enum Sample {
    static let variants = [
        ("cardigan-black-s", "Black", "S", 5), ("cardigan-black-m", "Black", "M", 1),
        ("cardigan-powder-s", "Powder", "S", 0),
    ].map { sku, colour, size, available in
        Variant(
            sku: sku, options: ["Colour": colour, "Size": size], price: Fixture.euros(12900),
            compareAtPrice: Fixture.euros(15900), available: available)
    }

    static let cardigan = Product(
        id: "prd_1", handle: "ribbed-cardigan", name: "Ribbed Cardigan",
        description: "Warm and soft, knitted in one piece.\nMade of wool from the mountains, which keeps its form.",
        category: "cardigans", tags: ["wool", "new"], price: Fixture.euros(12900), compareAtPrice: Fixture.euros(15900),
        materials: ["100 % wool"], careInstructions: "Wash by hand.",
        options: [
            ProductOption(name: "Colour", values: ["Black", "Powder"]),
            ProductOption(name: "Size", values: ["S", "M"]),
        ], images: [], updatedAt: Date.sample, variants: variants)

    static let scarf = Product.sample(
        sku: "wool-scarf", name: "Wool Scarf", category: "scarves", price: 4299, stock: 2)

    static let lines = [
        CartLine(
            sku: "cardigan-black-s", productHandle: "ribbed-cardigan", name: "Ribbed Cardigan", image: nil,
            options: ["Colour": "Black", "Size": "S"], quantity: 2, unitPrice: Fixture.euros(12900),
            lineTotal: Fixture.euros(25800), discount: Fixture.euros(0), available: 5),
        CartLine(
            sku: "wool-scarf", productHandle: "wool-scarf", name: "Wool Scarf", image: nil, options: [:], quantity: 3,
            unitPrice: Fixture.euros(4299), lineTotal: Fixture.euros(12897), discount: Fixture.euros(0), available: 2),
    ]

    static let totals = Totals(
        items: Fixture.euros(38697), discount: Fixture.euros(0), shipping: Fixture.euros(490), tax: Fixture.euros(6531),
        total: Fixture.euros(39187))

    static let cart = Cart(id: "crt_1", version: 1, lines: lines, totals: totals, changes: [], updatedAt: Date.sample)

    static let address = Address(
        name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU")

    static let standard = ShippingMethod(
        id: "standard", name: "Standard", price: Fixture.euros(490), estimate: "3 to 5 days")
    static let kangaroo = ShippingMethod(
        id: "kangaroo", name: "Kangaroo", price: Fixture.euros(700), estimate: "today")

    static let shipping = Shipping(methodId: "standard", address: address, price: Fixture.euros(490))

    static func order(
        _ status: OrderStatus = .paid, number: String = "P-10001", deliveryFailure: DeliveryFailure? = nil
    ) -> Order {
        let cart = Cart(
            id: "crt_1", version: 1, lines: [lines[1]], shipping: shipping, totals: totals, changes: [],
            updatedAt: Date.sample)
        return Order.sample(
            number: number, status: .pending, cart: cart, deliveryFailure: deliveryFailure, email: "ann@example.com"
        ).with(status: status)
    }
}

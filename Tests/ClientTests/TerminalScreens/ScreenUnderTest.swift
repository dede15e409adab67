import ClientTesting
import Foundation
import PouchCoordination
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

    func show(_ screens: any ShopScreen...) {
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

    func type(_ text: String) {
        for character in text { press(.character(character)) }
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
    /// Messages wait until it opens.
    var gate: Gate?

    init() {
        recordAll(ShopPage.self)
        recordAll(Refresh.self)
        recordAll(NarrowList.self)
        recordAll(ShowMoreProducts.self)
        handle(AddToCart.self) { shop, message in
            try await shop.record(message)
            return CartBadge(unitCount: 7)
        }
        recordAll(SetCartQuantity.self)
        recordAll(RemoveFromCart.self)
        recordAll(ClearCart.self)
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

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
    func messages(_ count: Int) async throws -> [String] {
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
final class RecordingShop: Responder {
    let coordinatingResponder: (any Responder)? = nil
    private(set) var messages: [String] = []
    var failure: ScreenFailure?
    /// Messages wait until it opens.
    var gate: Gate?

    func record(_ message: String) async throws {
        messages.append(message)
        if let gate {
            await gate.pass()
            try Task.checkCancellation()
        }
        if let failure { throw failure }
    }
}

extension RecordingShop: NavigationMessages, RefreshMessages, CatalogMessages, CartMessages, PurchaseMessages {
    func show(_ page: ShopPage) async throws { try await record("show \(page)") }
    func refresh() async throws { try await record("refresh") }
    func catalogNarrow(to query: ProductQuery) async throws {
        try await record(
            "narrow \(query.search ?? "-") \(query.category ?? "-") \(query.options) \(query.sort?.rawValue ?? "-")")
    }
    func catalogShowMore() async throws { try await record("more") }
    func cartAdd(sku: String, quantity: Int) async throws -> CartBadge {
        try await record("add \(quantity) \(sku)")
        return CartBadge(unitCount: 7)
    }
    func cartSet(sku: String, quantity: Int) async throws { try await record("set \(quantity) \(sku)") }
    func cartRemove(sku: String) async throws { try await record("remove \(sku)") }
    func cartClear() async throws { try await record("clear") }
    func cartApplyDiscount(code: String) async throws { try await record("discount \(code)") }
    func cartRemoveDiscount() async throws { try await record("no discount") }
    func purchaseNow(sku: String, quantity: Int, from sender: any Responder) async throws {
        try await record("buy \(quantity) \(sku)")
    }
    func purchaseDone(_ order: Order) async throws { try await record("done") }
    func purchaseShowStatus() async throws { try await record("status") }
}

extension RecordingShop: AccountMessages, CheckoutMessages, PaymentMessages, OrderMessages {
    func accountSignIn(email: String, password: String, code: String?) async throws {
        try await record("sign in \(email) \(password)" + (code.map { " \($0)" } ?? ""))
    }
    func accountRegister(name: String, email: String, mobileNumber: String?, password: String) async throws {
        try await record("register \(name) \(email) \(mobileNumber ?? "-") \(password)")
    }
    func accountSignOut() async throws { try await record("sign out") }
    func accountUpdate(name: String?, mobileNumber: String?) async throws {
        try await record("update \(name ?? "-") \(mobileNumber ?? "-")")
    }
    func accountChangePassword(from current: String, to new: String) async throws {
        try await record("password \(current) \(new)")
    }
    func accountDelete(password: String) async throws { try await record("delete account \(password)") }
    func checkoutBegin() async throws { try await record("check out") }
    func checkoutFindMethods(country: String, postalCode: String?, location: GeoPoint?) async throws {
        let place = location.map { " at \($0.latitude),\($0.longitude)" } ?? ""
        try await record("methods \(country) \(postalCode ?? "-")\(place)")
    }
    func checkoutFindPlaces(matching query: String) async throws { try await record("places \(query)") }
    func checkoutDeliver(methodId: String, to address: Address) async throws {
        let place = address.location.map { " at \($0.latitude),\($0.longitude)" } ?? ""
        try await record("deliver \(methodId) \(address.name), \(address.line1), \(address.city)\(place)")
    }
    func paymentPay(cardToken: String, email: String?) async throws {
        try await record("pay \(cardToken) \(email ?? "-")")
    }
    func orderCancel() async throws { try await record("cancel") }
    func orderChangeDelivery(methodId: String) async throws { try await record("change to \(methodId)") }
    func ordersShowMore() async throws { try await record("more orders") }
}

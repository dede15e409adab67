import Foundation
import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal
import PouchTerminalScreens
import Testing

/// Who a screen's messages go to: remembers them, and may fail or hold them.
@MainActor
final class RecordingShop: Responder {
    let coordinatingResponder: (any Responder)? = nil
    private(set) var messages: [String] = []
    var failure: ScreenFailure?
    /// Held until it opens.
    var gate: Gate?

    func take(_ message: String) async throws {
        messages.append(message)
        if let gate {
            await gate.pass()
            try Task.checkCancellation()
        }
        if let failure { throw failure }
    }
}

extension RecordingShop: NavigationMessages, RefreshMessages, CatalogMessages, CartMessages, PurchaseMessages {
    func show(_ page: ShopPage) async throws { try await take("show \(page)") }
    func refresh() async throws { try await take("refresh") }
    func catalogNarrow(to query: ProductQuery) async throws {
        try await take(
            "narrow \(query.search ?? "-") \(query.category ?? "-") \(query.options) \(query.sort?.rawValue ?? "-")")
    }
    func catalogShowMore() async throws { try await take("more") }
    func cartAdd(sku: String, quantity: Int) async throws -> CartBadge {
        try await take("add \(quantity) \(sku)")
        return CartBadge(unitCount: 7)
    }
    func cartSet(sku: String, quantity: Int) async throws { try await take("set \(quantity) \(sku)") }
    func cartRemove(sku: String) async throws { try await take("remove \(sku)") }
    func cartClear() async throws { try await take("clear") }
    func cartApplyDiscount(code: String) async throws { try await take("discount \(code)") }
    func cartRemoveDiscount() async throws { try await take("no discount") }
    func purchaseNow(_ product: Product) async throws { try await take("buy \(product.handle)") }
    func purchaseNow(sku: String, quantity: Int) async throws { try await take("buy \(quantity) \(sku)") }
    func purchaseDone(_ order: Order) async throws { try await take("done") }
    func purchaseShowStatus() async throws { try await take("status") }
}

extension RecordingShop: AccountMessages, CheckoutMessages, PaymentMessages, OrderMessages {
    func accountSignIn(email: String, password: String) async throws { try await take("sign in \(email) \(password)") }
    func accountRegister(name: String, email: String, mobileNumber: String?, password: String) async throws {
        try await take("register \(name) \(email) \(mobileNumber ?? "-") \(password)")
    }
    func accountSignOut() async throws { try await take("sign out") }
    func accountUpdate(name: String?, mobileNumber: String?) async throws {
        try await take("update \(name ?? "-") \(mobileNumber ?? "-")")
    }
    func accountChangePassword(from current: String, to new: String) async throws {
        try await take("password \(current) \(new)")
    }
    func accountDelete(password: String) async throws { try await take("delete account \(password)") }
    func checkoutBegin() async throws { try await take("check out") }
    func checkoutFindMethods(country: String, postalCode: String?, location: GeoPoint?) async throws {
        let place = location.map { " at \($0.latitude),\($0.longitude)" } ?? ""
        try await take("methods \(country) \(postalCode ?? "-")\(place)")
    }
    func checkoutFindPlaces(matching query: String) async throws { try await take("places \(query)") }
    func checkoutDeliver(methodId: String, to address: Address) async throws {
        let place = address.location.map { " at \($0.latitude),\($0.longitude)" } ?? ""
        try await take("deliver \(methodId) \(address.name), \(address.line1), \(address.city)\(place)")
    }
    func paymentPay(cardToken: String, email: String?) async throws {
        try await take("pay \(cardToken) \(email ?? "-")")
    }
    func orderCancel() async throws { try await take("cancel") }
    func orderChangeDelivery(methodId: String) async throws { try await take("change to \(methodId)") }
    func ordersShowMore() async throws { try await take("more orders") }
}

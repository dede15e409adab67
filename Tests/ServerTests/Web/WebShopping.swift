import Foundation
import PouchEntities
import PouchStorage
import Testing

extension WebVisitor {
    /// Puts a product into the cart by the form of its page.
    @discardableResult
    func add(_ handle: String = "cap", _ quantity: Int = 1, sku: String? = nil) async throws -> WebPage {
        var values: [String: String?] = ["quantity": String(quantity)]
        if let sku { values["sku"] = sku }
        return try await submit(try await open("/product/\(handle)"), action: "/cart/lines", values)
    }

    /// Fills in the checkout and pays.
    func pay(_ page: WebPage, _ values: [String: String?] = [:], following: Bool = true) async throws -> WebPage {
        try await submit(
            page, action: "/checkout", values.merging(Self.typed) { own, _ in own }, following: following)
    }

    /// Adds a product and pays for it. Returns the page of the order.
    func buy(_ handle: String = "cap", _ values: [String: String?] = [:]) async throws -> WebPage {
        try await add(handle)
        return try await pay(try await open("/checkout"), values)
    }

    /// Sends the checkout by its button for prices.
    func recalculate(_ page: WebPage, _ values: [String: String?]) async throws -> WebPage {
        try await post("/checkout/shipping", try page.form("/checkout").filled(values))
    }

    static let typed: [String: String?] = [
        "email": "guest@example.com", "shipping.address.name": "Ada", "shipping.address.country": "DE",
        "shipping.address.line1": "Main Street 1", "shipping.address.postalCode": "10115",
        "shipping.address.city": "Berlin",
    ]

    /// The units that the header of pages shows.
    var cartUnits: String? { cookies["pouch_cart"] }
}

extension WebPage {
    /// The total in the checkout's form.
    var expectedTotal: String? { fields(of: "/checkout")["expectedTotal:money"] }

    /// The id of the order to which a form led.
    func orderId(sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let place = try #require(location, "\(status) \(words)", sourceLocation: sourceLocation)
        try #require(place.hasPrefix("/orders/ord_"), "\(place)", sourceLocation: sourceLocation)
        return String(place.dropFirst("/orders/".count))
    }
}

extension TestShop {
    /// The ids of all orders.
    func orderIds() async throws -> [String] {
        try await rows("SELECT id FROM orders ORDER BY id").map { try $0.text(0) }
    }
}

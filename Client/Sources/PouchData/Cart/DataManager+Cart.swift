import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    public func cart() async throws(DataError) -> Cart {
        try await perform(Contract.cart, .cart(.current))
    }

    public func clearCart() async throws(DataError) -> Cart {
        try await perform(Contract.clearCart, .cart(.clear))
    }

    public func addCartLine(sku: String, quantity: Int) async throws(DataError) -> Cart {
        try await perform(Contract.addCartLine, sending: LineRequest(sku: sku, quantity: quantity)) {
            .cart(.addLine(body: $0))
        }
    }

    /// A quantity of 0 removes the line.
    public func setCartLine(sku: String, quantity: Int) async throws(DataError) -> Cart {
        try await perform(Contract.setCartLine, sending: QuantityRequest(quantity: quantity)) {
            .cart(.setLine(sku: sku, body: $0))
        }
    }

    public func removeCartLine(sku: String) async throws(DataError) -> Cart {
        try await perform(Contract.removeCartLine, .cart(.removeLine(sku: sku)))
    }

    public func setCartDiscount(code: String) async throws(DataError) -> Cart {
        try await perform(Contract.setCartDiscount, sending: DiscountRequest(code: code)) {
            .cart(.setDiscount(body: $0))
        }
    }

    public func removeCartDiscount() async throws(DataError) -> Cart {
        try await perform(Contract.removeCartDiscount, .cart(.removeDiscount))
    }
}

import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    public func cart() async throws(DataError) -> Cart {
        try await perform(Contract.cart, .cart(.current))
    }

    public func clearCart() async throws(DataError) -> Cart {
        try await change(.clear)
    }

    public func addCartLine(sku: String, quantity: Int) async throws(DataError) -> Cart {
        try await change(.add(sku: sku, quantity: quantity))
    }

    /// A quantity of 0 removes the line.
    public func setCartLine(sku: String, quantity: Int) async throws(DataError) -> Cart {
        try await change(.set(sku: sku, quantity: quantity))
    }

    public func removeCartLine(sku: String) async throws(DataError) -> Cart {
        try await change(.remove(sku: sku))
    }

    public func setCartDiscount(code: String) async throws(DataError) -> Cart {
        try await perform(Contract.setCartDiscount, sending: DiscountRequest(code: code)) {
            .cart(.setDiscount(body: $0))
        }
    }

    public func removeCartDiscount() async throws(DataError) -> Cart {
        try await perform(Contract.removeCartDiscount, .cart(.removeDiscount))
    }

    /// What ends without a clear outcome stays a pending edit.
    private func change(_ edit: CartEdit) async throws(DataError) -> Cart {
        try await send(try await keep(try prepare(edit, of: try await owner()), sending: false), isRepeat: false)
    }
}

import PouchContract
import PouchEntities
import PouchService

/// What names an owner throws `.sessionEnded` without asking the server where somebody else has signed in by then; nil is
/// whoever is signed in.
extension DataManager {
    public func cart(of owner: String? = nil) async throws(DataError) -> Cart {
        try await perform(Contract.cart, .cart(.current), CallOptions(owner: owner))
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

    public func setCartDiscount(code: String, of owner: String? = nil) async throws(DataError) -> Cart {
        let body = DiscountRequest(code: code)
        return try await perform(Contract.setCartDiscount, sending: body, CallOptions(owner: owner)) {
            .cart(.setDiscount(body: $0))
        }
    }

    public func removeCartDiscount(of owner: String? = nil) async throws(DataError) -> Cart {
        try await perform(Contract.removeCartDiscount, .cart(.removeDiscount), CallOptions(owner: owner))
    }

    /// What ends without a clear outcome stays a pending edit.
    private func change(_ edit: CartEdit) async throws(DataError) -> Cart {
        try await send(try await keep(try prepare(edit, of: try await owner()), sending: false), isRepeat: false)
    }
}

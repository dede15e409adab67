import PouchData
import PouchEntities

/// Knows what is in the cart of whoever is signed in. Where nobody is, the first use starts a guest session.
public actor CartManager {
    private let data: DataManager
    private let account: AccountManager
    private let current = CurrentValue<Cart?>(nil)
    private var owner: String?
    /// Raised when what is in memory is forgotten; an answer to an earlier question must not bring it back.
    private var generation = 0
    private var following: Task<Void, Never>?

    public init(data: DataManager, account: AccountManager) {
        self.data = data
        self.account = account
    }

    deinit {
        following?.cancel()
    }

    /// The cart as it is in memory, at once; nil while it is not known.
    public nonisolated var cart: Cart? { current.value }

    /// The cart as it is in memory, and again after each change; nil while it is not known.
    public nonisolated func carts() -> AsyncStream<Cart?> { current.values() }

    /// Reads the cart with its prices and stock as they are now. A failure leaves the cart in memory as it was.
    @discardableResult
    public func refresh() async throws(DataError) -> Cart {
        try await take { [data] () throws(DataError) in try await data.cart() }
    }

    @discardableResult
    public func add(sku: String, quantity: Int = 1) async throws(DataError) -> Cart {
        try await take { [data] () throws(DataError) in try await data.addCartLine(sku: sku, quantity: quantity) }
    }

    /// A quantity of 0 removes the line.
    @discardableResult
    public func set(sku: String, quantity: Int) async throws(DataError) -> Cart {
        try await take { [data] () throws(DataError) in try await data.setCartLine(sku: sku, quantity: quantity) }
    }

    @discardableResult
    public func remove(sku: String) async throws(DataError) -> Cart {
        try await take { [data] () throws(DataError) in try await data.removeCartLine(sku: sku) }
    }

    @discardableResult
    public func clear() async throws(DataError) -> Cart {
        try await take { [data] () throws(DataError) in try await data.clearCart() }
    }

    @discardableResult
    public func setDiscount(code: String) async throws(DataError) -> Cart {
        try await take { [data] () throws(DataError) in try await data.setCartDiscount(code: code) }
    }

    @discardableResult
    public func removeDiscount() async throws(DataError) -> Cart {
        try await take { [data] () throws(DataError) in try await data.removeCartDiscount() }
    }

    /// - Parameter methodId: one of those that `CheckoutManager.shippingMethods` gives.
    @discardableResult
    public func setShipping(methodId: String, to address: Address) async throws(DataError) -> Cart {
        try await take { [data] () throws(DataError) in
            try await data.setCartShipping(methodId: methodId, address: address)
        }
    }

    /// The cart was bought, or may have been: what is in memory no longer holds.
    func forget() {
        generation += 1
        if current.value != nil { current.set(nil) }
    }

    private func take(
        _ call: @Sendable () async throws(DataError) -> Cart
    ) async throws(DataError) -> Cart {
        follow()
        try await account.sessionOrGuest()
        settleOwner()
        let asked = generation
        let cart = try await call()
        // Answers may overtake each other, and the owner may have changed while this one was under way.
        settleOwner()
        guard generation == asked else { return cart }
        if let known = current.value, known.id == cart.id, known.version > cart.version { return cart }
        if current.value != cart { current.set(cart) }
        return cart
    }

    /// Forgets the cart as soon as somebody else is signed in, also where that is found out elsewhere.
    private func follow() {
        guard following == nil else { return }
        let sessions = account.sessions()
        following = Task { [weak self] in
            for await _ in sessions {
                guard let self else { return }
                await self.settleOwner()
            }
        }
    }

    /// What counts is who is signed in now, and not in which order the news of it came here.
    private func settleOwner() {
        let session = account.session?.id
        guard owner != session else { return }
        owner = session
        forget()
    }
}

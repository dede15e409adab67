import Foundation
import PouchData
import PouchEntities

/// Knows what is in the cart of whoever is signed in. Where nobody is, the first use starts a guest session, as soon as
/// the server can be reached.
///
/// Edits reach the server one at a time, in the order in which they were made. Where the manager was told to queue them,
/// one that cannot reach it is shown at once as not confirmed (`state`), is kept with its idempotency key, and is sent when
/// the server is back, also by a later process; `updates` tells what became of it, where that is not what was shown.
public actor CartManager {
    struct Entry {
        var pending: PendingCartEdit
        /// Whether it is in the store.
        var isKept = false
        /// Whether its outcome is open: it is shown as not confirmed, and nobody waits for it.
        var isShown = false
        /// What it adds.
        var product: Product?

        var key: String { pending.id }
    }

    let data: DataManager
    let account: AccountManager
    let outage: CartOutage
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let currentState = CurrentValue<CartState?>(nil)
    let currentCart = CurrentValue<Cart?>(nil)
    let news = Broadcast<CartUpdate>()

    /// nil before it is known who it is, or that it is nobody.
    var owner: String?
    var hasAccount = false
    /// Raised with each new owner.
    var ownership = 0
    var loading: Task<Void, Never>?
    /// An edit of nobody on its way into the store. No other owner comes meanwhile.
    var keeping: Task<Result<Void, DataError>, Never>?
    /// Raised when what is in memory is forgotten; an answer to an earlier question must not bring it back.
    var generation = 0
    /// As the server told it last.
    var base: KnownCart?
    /// Why it could not be read anew.
    var failure: DataError?
    /// Refreshes that are under way.
    private var readers = 0
    var queue: [Entry] = []
    var sending: String?
    var waiting: [String: CheckedContinuation<Result<Cart, DataError>, Never>] = [:]
    /// Since the first edit that was shown before it was sent: the cart then, and what was confirmed since.
    var replay: (start: Cart?, confirmed: [Entry])?
    var worker: Task<DataError?, Never>?
    var retry: Task<Void, Never>?
    /// Tries in a row after which the first edit's outcome was open.
    var failures = 0
    /// Why a session for the edits of nobody could not be had.
    var sessionFailure: DataError?

    /// The clock waits between two refreshes of a cart that is shown, and two tries of what is pending; `now` is the time of
    /// day.
    public init(
        data: DataManager,
        account: AccountManager,
        outage: CartOutage = .fail,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.data = data
        self.account = account
        self.outage = outage
        self.clock = clock
        self.now = now
        account.followers.add(self)
    }

    deinit {
        retry?.cancel()
    }

    // MARK: What is in the cart

    /// The cart as it is in memory, at once; nil while it is not known.
    public nonisolated var cart: Cart? { currentCart.value }

    /// The cart as it is in memory, and again after each change; nil while it is not known.
    public nonisolated func carts() -> AsyncStream<Cart?> { currentCart.values() }

    /// The cart with what is pending; nil while it is not known.
    public nonisolated var state: CartState? { currentState.value }

    /// The cart with what is pending, and again after each change; nil while it is not known.
    public nonisolated func states() -> AsyncStream<CartState?> { currentState.values() }

    /// What became of the cart without its owner's doing. What is told while nobody listens waits for the first who does.
    public nonisolated func updates() -> AsyncStream<CartUpdate> { news.elements() }

    /// Takes up the cart, and the edits that are pending, as they were kept on this device, without waiting for the server.
    @discardableResult
    public func restore() async throws(DataError) -> CartState? {
        try await account.restore()
        await settleOwner()
        return state
    }

    /// Reads the cart with its prices and stock as they are now, after sending what is pending. A failure leaves the cart in
    /// memory as it was, and shows in `state`.
    ///
    /// - Parameter startsSession: whether a guest session is started where nobody is signed in.
    /// - Throws: `.notSignedIn` where it is not.
    @discardableResult
    public func refresh(startsSession: Bool = true) async throws(DataError) -> Cart {
        readers += 1
        defer { readers -= 1 }
        if startsSession {
            try await begin()
        } else {
            try await restore()
            guard owner != UserSession.nobody else { throw DataError(.notSignedIn) }
        }
        let asked = ownership
        do throws(DataError) {
            try await work()
            return try await read()
        } catch {
            if ownership == asked, error.reason != .cancelled {
                failure = error
                show()
            }
            throw error
        }
    }

    /// Refreshes the cart again and again until the task is cancelled; for as long as it is shown. A refresh that fails is
    /// made up for by the next, and one that somebody else has under way is as good.
    public func keepFresh(every interval: Duration = .seconds(60)) async {
        while !Task.isCancelled {
            if readers == 0 { _ = try? await refresh() }
            guard (try? await clock.sleep(for: interval)) != nil else { return }
        }
    }

    // MARK: Edits

    /// - Returns: the cart as the server has it now; an estimate where it cannot be reached and edits are queued, as `state`
    ///   tells.
    /// - Throws: `.unknownSKU`, `.outOfStock`, `.cartFull`; the cart is as it was then.
    @discardableResult
    public func add(sku: String, quantity: Int = 1) async throws(DataError) -> Cart {
        try await change(.add(sku: sku, quantity: quantity))
    }

    /// A quantity of 0 removes the line. For the cart that is returned, see `add`.
    @discardableResult
    public func set(sku: String, quantity: Int) async throws(DataError) -> Cart {
        try await change(.set(sku: sku, quantity: quantity))
    }

    /// For the cart that is returned, see `add`.
    @discardableResult
    public func remove(sku: String) async throws(DataError) -> Cart {
        try await change(.remove(sku: sku))
    }

    /// For the cart that is returned, see `add`.
    @discardableResult
    public func clear() async throws(DataError) -> Cart {
        try await change(.clear)
    }

    /// Sends what is pending now, also of an earlier process, without waiting for the next try.
    ///
    /// - Throws: what kept it from being sent; it stays pending.
    public func sendPending() async throws(DataError) {
        try await restore()
        guard !queue.isEmpty else { return }
        try await begin()
        try await work()
    }

    // MARK: What needs the server

    /// One code fits on a cart: it takes the place of an earlier one.
    ///
    /// - Throws: `.discountInvalid`, `.discountExpired`, `.discountExhausted`.
    @discardableResult
    public func setDiscount(code: String) async throws(DataError) -> Cart {
        try await ask { [data] owner throws(DataError) in try await data.setCartDiscount(code: code, of: owner) }
    }

    @discardableResult
    public func removeDiscount() async throws(DataError) -> Cart {
        try await ask { [data] owner throws(DataError) in try await data.removeCartDiscount(of: owner) }
    }

    /// The method is one of those that `CheckoutManager.shippingMethods` gives.
    @discardableResult
    public func setShipping(methodId: String, to address: Address) async throws(DataError) -> Cart {
        try await ask { [data] owner throws(DataError) in
            try await data.setCartShipping(methodId: methodId, address: address, of: owner)
        }
    }

    /// The cart was bought: what is in memory, and in the store, no longer holds.
    func forget() async {
        generation += 1
        base = nil
        show()
        if let owner, isQueueing { try? await data.store(nil, of: owner) }
    }

    private func ask(
        _ call: @Sendable (_ owner: String?) async throws(DataError) -> Cart
    ) async throws(DataError) -> Cart {
        try await begin()
        try await work()
        return try await take(call)
    }

    @discardableResult
    func read() async throws(DataError) -> Cart {
        try await take { [data] owner throws(DataError) in try await data.cart(of: owner) }
    }

    /// Takes the answer to a call that is made in the name of the cart's owner.
    private func take(
        _ call: @Sendable (_ owner: String?) async throws(DataError) -> Cart
    ) async throws(DataError) -> Cart {
        let asked = generation
        let cart = try await call(owner)
        // The owner may have changed while this was under way.
        await settleOwner()
        guard generation == asked else { return cart }
        let known = base?.cart
        if await take(cart), let known { tell(cart.changes(from: known)) }
        return cart
    }

    /// - Returns: whether the cart is now the one that is known; answers may overtake each other.
    func take(_ cart: Cart) async -> Bool {
        if let base = base?.cart, base.id == cart.id, base.version > cart.version { return false }
        base = KnownCart(cart, asOf: now())
        failure = nil
        show()
        if let owner, isQueueing { try? await data.store(base, of: owner) }
        return true
    }

    /// What is about a line that is being edited may be the edit's own doing.
    func tell(_ changes: [CartChange]) {
        let edits = queue.map(\.pending.edit)
        let foreign = changes.filter { change in !edits.contains { $0 == .clear || $0.sku == change.sku } }
        if !foreign.isEmpty { news.tell(.changed(foreign)) }
    }

    // MARK: Showing

    var isQueueing: Bool { if case .queue = outage { true } else { false } }

    func show() {
        let pending = queue.filter(\.isShown)
        var cart = base?.cart
        for entry in pending { cart = (try? Self.applying(entry, to: cart)) ?? cart }
        currentState.replace(
            cart.map { CartState(cart: $0, pendingCount: pending.count, asOf: base?.asOf, failure: failure) })
        currentCart.replace(cart)
    }

    static func applying(_ entry: Entry, to cart: Cart?) throws(DataError) -> Cart {
        let product = entry.product
        guard let cart = cart ?? product.map({ Cart.empty(in: $0.price.currency) }) else {
            throw DataError(.unreachable)
        }
        return try cart.applying(entry.pending.edit, product: product)
    }
}

import Foundation
import PouchData
import PouchEntities

/// Knows what is in the cart of whoever is signed in. Where nobody is, the first use starts a guest session.
///
/// Edits reach the server one at a time, in the order in which they were made. Where the manager was told to queue them,
/// one that cannot reach it is shown at once as not confirmed (`state`), is kept with its idempotency key, and is sent when
/// the server is back, also by a later process; `updates` tells what became of it, where that is not what was shown.
public actor CartManager {
    private struct Entry {
        var pending: PendingCartEdit
        /// Whether it is in the store.
        var isKept = false
        /// Whether its outcome is open: it is shown as not confirmed, and nobody waits for it.
        var isShown = false
        /// What it adds.
        var product: Product?

        var key: String { pending.id }
    }

    private let data: DataManager
    private let account: AccountManager
    private let outage: CartOutage
    private let clock: any Clock<Duration>
    private let currentState = CurrentValue<CartState?>(nil)
    private let currentCart = CurrentValue<Cart?>(nil)
    private let news = Broadcast<CartUpdate>()

    private var owner: String?
    private var isGuest = false
    /// Raised with each new owner.
    private var ownership = 0
    private var loading: Task<Void, Never>?
    /// Raised when what is in memory is forgotten; an answer to an earlier question must not bring it back.
    private var generation = 0
    /// As the server told it last.
    private var base: Cart?
    private var queue: [Entry] = []
    private var sending: String?
    private var waiting: [String: CheckedContinuation<Result<Cart, DataError>, Never>] = [:]
    /// Since the first edit that was shown before it was sent: the cart then, and what was confirmed since.
    private var replay: (start: Cart?, confirmed: [Entry])?
    private var worker: Task<DataError?, Never>?
    private var retry: Task<Void, Never>?
    private var failures = 0

    /// - Parameters:
    ///   - outage: what becomes of an edit that cannot reach the server.
    ///   - clock: waits between two refreshes of a cart that is shown, and two tries of what is pending.
    public init(
        data: DataManager,
        account: AccountManager,
        outage: CartOutage = .fail,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.data = data
        self.account = account
        self.outage = outage
        self.clock = clock
        account.followers.add { [weak self] moment in await self?.note(moment) }
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
    /// memory as it was.
    @discardableResult
    public func refresh() async throws(DataError) -> Cart {
        try await begin()
        try await sendPending()
        return try await take { [data] () throws(DataError) in try await data.cart() }
    }

    /// Refreshes the cart again and again until the task is cancelled; for as long as it is shown. A refresh that fails is
    /// made up for by the next.
    public func keepFresh(every interval: Duration = .seconds(60)) async {
        while !Task.isCancelled {
            _ = try? await refresh()
            guard (try? await clock.sleep(for: interval)) != nil else { return }
        }
    }

    // MARK: Edits

    /// - Returns: the cart as the server has it now; an estimate where it cannot be reached and edits are queued, as `state`
    ///   tells.
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

    /// Sends what is pending now, without waiting for the next try.
    ///
    /// - Throws: what kept it from being sent; it stays pending.
    public func sendPending() async throws(DataError) {
        guard !queue.isEmpty else { return }
        if let error = await work(evenOffline: true) { throw error }
    }

    // MARK: What needs the server

    @discardableResult
    public func setDiscount(code: String) async throws(DataError) -> Cart {
        try await ask { [data] () throws(DataError) in try await data.setCartDiscount(code: code) }
    }

    @discardableResult
    public func removeDiscount() async throws(DataError) -> Cart {
        try await ask { [data] () throws(DataError) in try await data.removeCartDiscount() }
    }

    /// - Parameter methodId: one of those that `CheckoutManager.shippingMethods` gives.
    @discardableResult
    public func setShipping(methodId: String, to address: Address) async throws(DataError) -> Cart {
        try await ask { [data] () throws(DataError) in
            try await data.setCartShipping(methodId: methodId, address: address)
        }
    }

    /// The cart was bought: what is in memory, and in the store, no longer holds.
    func forget() async {
        generation += 1
        base = nil
        show()
        if let owner, isQueueing { try? await data.store(nil, of: owner) }
    }

    private func ask(_ call: @Sendable () async throws(DataError) -> Cart) async throws(DataError) -> Cart {
        try await begin()
        try await sendPending()
        return try await take(call)
    }

    private func take(_ call: @Sendable () async throws(DataError) -> Cart) async throws(DataError) -> Cart {
        let asked = generation
        let cart = try await call()
        // The owner may have changed while this was under way.
        await settleOwner()
        guard generation == asked else { return cart }
        let known = base
        if await take(cart), let known {
            // What is about a line that is being edited may be the edit's own doing.
            let edits = queue.map(\.pending.edit)
            tell(
                cart.changes(from: known).filter { change in
                    !edits.contains { $0 == .clear || $0.sku == change.sku }
                })
        }
        return cart
    }

    /// - Returns: whether the cart is now the one that is known; answers may overtake each other.
    private func take(_ cart: Cart) async -> Bool {
        if let base, base.id == cart.id, base.version > cart.version { return false }
        base = cart
        show()
        if let owner, isQueueing { try? await data.store(cart, of: owner) }
        return true
    }

    private func tell(_ changes: [CartChange]) {
        if !changes.isEmpty { news.tell(.changed(changes)) }
    }

    // MARK: Showing

    private var isQueueing: Bool { if case .queue = outage { true } else { false } }

    private func show() {
        let pending = queue.filter(\.isShown)
        var cart = base
        for entry in pending { cart = (try? Self.applying(entry, to: cart)) ?? cart }
        currentState.replace(cart.map { CartState(cart: $0, pendingCount: pending.count) })
        currentCart.replace(cart)
    }

    private static func applying(_ entry: Entry, to cart: Cart?) throws(DataError) -> Cart {
        let product = entry.product
        guard let cart = cart ?? product.map({ Cart.empty(in: $0.price.currency) }) else {
            throw DataError(.unreachable)
        }
        return try cart.applying(entry.pending.edit, product: product)
    }

    // MARK: The queue

    private func change(_ edit: CartEdit) async throws(DataError) -> Cart {
        try await begin()
        guard let owner else { throw DataError(.notSignedIn) }
        let entry = Entry(pending: try data.prepare(edit, of: owner))
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Cart, DataError>, Never>) in
                guard !Task.isCancelled else { return continuation.resume(returning: .failure(DataError(.cancelled))) }
                waiting[entry.key] = continuation
                queue.append(entry)
                startWork(evenOffline: false)
            }
        } onCancel: {
            Task { await self.giveUp(entry.key) }
        }
        .get()
    }

    /// An edit that is under way goes on; its outcome shows in the cart.
    private func giveUp(_ key: String) async {
        guard let waiter = waiting.removeValue(forKey: key) else { return }
        waiter.resume(returning: .failure(DataError(.cancelled)))
        guard sending != key, let entry = remove(key), entry.isKept else { return }
        try? await data.removePendingWrite(entry.pending.write)
    }

    @discardableResult
    private func remove(_ key: String) -> Entry? {
        queue.firstIndex { $0.key == key }.map { queue.remove(at: $0) }
    }

    /// - Parameter evenOffline: whether to try also while the server is known not to answer.
    /// - Returns: what keeps the queue from getting on; nil when it is empty.
    private func work(evenOffline: Bool) async -> DataError? {
        // A worker that has begun may have decided already not to try.
        if evenOffline, let worker { _ = await worker.value }
        return queue.isEmpty ? nil : await startWork(evenOffline: evenOffline).value
    }

    @discardableResult
    private func startWork(evenOffline: Bool) -> Task<DataError?, Never> {
        if let worker { return worker }
        retry?.cancel()
        retry = nil
        let task = Task { await workOff(evenOffline: evenOffline) }
        worker = task
        return task
    }

    /// Sends one edit after the other. There is one of these at a time.
    private func workOff(evenOffline: Bool) async -> DataError? {
        while let next = queue.first {
            if case .queue(let connection) = outage, connection.connection == .offline, !evenOffline {
                await showAll(DataError(.unreachable))
                if queue.isEmpty { break }
                return stop(DataError(.unreachable))
            }
            let isRepeat = next.pending.write.firstSentAt != nil
            sending = next.key
            let result = await send(next, isRepeat: isRepeat)
            sending = nil
            // Its owner may have gone meanwhile, and with it the queue.
            guard queue.first?.key == next.key else { continue }
            switch result {
            case .success(let cart): await confirm(cart)
            case .failure(let error):
                if isQueueing, error.leavesOutcomeOpen || next.isShown && error.isOfSession {
                    await showAll(error)
                    if queue.isEmpty { break }
                    return stop(error)
                }
                remove(next.key)
                if !isQueueing, error.leavesOutcomeOpen { try? await data.removePendingWrite(next.pending.write) }
                refuse(next, error)
            }
        }
        worker = nil
        failures = 0
        await endReplay()
        return nil
    }

    private func send(_ entry: Entry, isRepeat: Bool) async -> Result<Cart, DataError> {
        do throws(DataError) {
            let sent = try await data.keep(entry.pending, sending: entry.isKept)
            if let index = queue.firstIndex(where: { $0.key == entry.key }) {
                queue[index].pending = sent
                queue[index].isKept = true
            }
            return .success(try await data.send(sent, isRepeat: isRepeat))
        } catch {
            return .failure(error)
        }
    }

    private func confirm(_ cart: Cart) async {
        let entry = queue.removeFirst()
        let known = base
        if entry.isShown || replay != nil {
            replay = (replay?.start ?? known, (replay?.confirmed ?? []) + [entry])
            _ = await take(cart)
        } else if await take(cart), let known, let expected = try? Self.applying(entry, to: known) {
            tell(cart.changes(from: expected))
        }
        waiting.removeValue(forKey: entry.key)?.resume(returning: .success(cart))
    }

    /// The answer to a second try may be the one to the first, so the cart is read again; then what was shown is compared
    /// with what came of it.
    private func endReplay() async {
        guard let ended = replay else { return }
        replay = nil
        let asked = generation
        if let cart = try? await data.cart(), generation == asked { _ = await take(cart) }
        guard generation == asked, let base else { return }
        let expected = ended.confirmed.reduce(ended.start) { cart, entry in
            (try? Self.applying(entry, to: cart)) ?? cart
        }
        if let expected { tell(base.changes(from: expected)) }
    }

    private func refuse(_ entry: Entry, _ error: DataError) {
        if let waiter = waiting.removeValue(forKey: entry.key) {
            waiter.resume(returning: .failure(error))
        } else if entry.isShown {
            news.tell(.refused(entry.pending.edit, error))
        }
        show()
    }

    /// Shows what cannot be sent now, in its order; an edit that cannot be shown fails.
    private func showAll(_ error: DataError) async {
        var cart = base
        for key in queue.map(\.key) {
            guard var entry = queue.first(where: { $0.key == key }) else { continue }
            guard !entry.isShown else {
                cart = (try? Self.applying(entry, to: cart)) ?? cart
                continue
            }
            do throws(DataError) {
                if !entry.isKept { try await data.keep(entry.pending) }
                if entry.product == nil { entry.product = await product(of: entry.pending.edit, in: cart) }
                cart = try Self.applying(entry, to: cart)
            } catch let failure {
                guard remove(key) != nil else { continue }
                try? await data.removePendingWrite(entry.pending.write)
                refuse(entry, failure.reason == .unknownSKU ? error : failure)
                continue
            }
            guard let index = queue.firstIndex(where: { $0.key == key }) else {
                // Its caller has given up meanwhile.
                try? await data.removePendingWrite(entry.pending.write)
                continue
            }
            queue[index].product = entry.product
            queue[index].isKept = true
            queue[index].isShown = true
        }
        show()
        guard let cart = self.cart else { return }
        for entry in queue where entry.isShown {
            waiting.removeValue(forKey: entry.key)?.resume(returning: .success(cart))
        }
    }

    private func product(of edit: CartEdit, in cart: Cart?) async -> Product? {
        guard let sku = edit.sku, cart?.lines.contains(where: { $0.sku == sku }) != true else { return nil }
        return try? await data.storedProduct(sku: sku)
    }

    /// Waits for the next try without keeping the manager alive.
    private func stop(_ error: DataError) -> DataError {
        worker = nil
        // Whose session has ended cannot be helped by trying again.
        guard case .queue(let connection) = outage, !error.isOfSession else { return error }
        failures += 1
        let pause = error.retryAfter ?? .seconds(1 << min(failures, 6))
        retry = Task { [weak self, clock] in
            if connection.connection == .offline {
                for await now in connection.connections() where now == .online { break }
            } else {
                try? await clock.sleep(for: pause)
            }
            guard !Task.isCancelled else { return }
            await self?.tryAgain()
        }
        return error
    }

    private func tryAgain() {
        retry = nil
        if !queue.isEmpty { startWork(evenOffline: false) }
    }

    // MARK: The owner

    private func begin() async throws(DataError) {
        try await account.sessionOrGuest()
        await settleOwner()
    }

    private func note(_ moment: SessionFollowers.Moment) async {
        switch moment {
        case .leaving: if !queue.isEmpty { _ = await work(evenOffline: false) }
        case .changed: await settleOwner()
        }
    }

    /// What counts is who is signed in now, and not in which order the news of it came here.
    private func settleOwner() async {
        let session = account.session
        if owner != session?.owner { take(session) }
        await loading?.value
    }

    private func take(_ session: UserSession?) {
        let left = queue
        let wasGuest = isGuest
        owner = session?.owner
        isGuest = session?.kind == .guest
        ownership += 1
        generation += 1
        base = nil
        replay = nil
        retry?.cancel()
        retry = nil
        queue = []
        for entry in left {
            if wasGuest, !isGuest, let owner, entry.key != sending, entry.pending.isUnsentAddition {
                // A guest's additions go over to the account, unless the server may have merged them with the cart.
                var moved = entry
                moved.pending = entry.pending.owned(by: owner)
                queue.append(moved)
            } else if wasGuest, session != nil {
                refuse(entry, DataError(entry.pending.write.firstSentAt == nil ? .sessionEnded : .outcomeUnknown))
            } else {
                // What is in the store waits there for its owner.
                waiting.removeValue(forKey: entry.key)?.resume(returning: .failure(DataError(.sessionEnded)))
            }
        }
        show()
        guard isQueueing, let owner else { return }
        loading = Task { [ownership] in await load(owner, ownership) }
    }

    private func load(_ owner: String, _ asked: Int) async {
        let cart = try? await data.storedCart(of: owner)
        let kept = (try? await data.pendingCartEdits(of: owner)) ?? []
        var entries: [Entry] = []
        for pending in kept {
            entries.append(
                Entry(
                    pending: pending, isKept: true, isShown: true, product: await product(of: pending.edit, in: cart)))
        }
        guard ownership == asked else { return }
        loading = nil
        if base == nil { base = cart }
        queue.insert(contentsOf: entries.filter { entry in !queue.contains { $0.key == entry.key } }, at: 0)
        show()
        if !queue.isEmpty { startWork(evenOffline: false) }
    }
}

extension DataError {
    /// Whether it is about who is signed in, and not about what was asked.
    fileprivate var isOfSession: Bool {
        switch reason {
        case .sessionEnded, .notSignedIn, .sessionStorage: true
        default: false
        }
    }

    fileprivate var retryAfter: Duration? {
        switch reason {
        case .busy(let wait), .stillRunning(let wait): wait
        default: nil
        }
    }
}

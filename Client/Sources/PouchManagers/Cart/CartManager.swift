import Foundation
import PouchData
import PouchEntities

/// The cart of the current session. Without a session, the first edit starts a guest session once the server can be
/// reached.
///
/// Edits reach the server one at a time, in the order in which they were made. With `OfflineEditPolicy.queue`, an edit
/// that cannot reach the server is immediately shown as unconfirmed (`state`), stored with its idempotency key, and
/// sent once the server is reachable, also by a later process; `updates` reports outcomes that differ from the shown
/// cart.
///
///     let cart = try await pouch.cart.add(sku: "71101-69-m", quantity: 2)
///     for await state in pouch.cart.states() { badge = state?.cart.unitCount ?? 0 }
public actor CartManager {
    let data: DataManager
    private let account: AccountManager
    private let offlineEdits: OfflineEditPolicy
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private nonisolated let current = CurrentValue<CartState?>(nil)
    private nonisolated let updateStream = Broadcast<CartUpdate>()

    private var queue: CartQueue
    /// The callers that wait for their edits, by the keys of the edits.
    private var callers: [String: CheckedContinuation<Result<Cart, DataError>, Never>] = [:]
    private var worker: Task<DataError?, Never>?
    private var retry: Task<Void, Never>?
    /// Reads a new owner's cart and edits from the local store.
    private var loading: Task<Void, Never>?
    /// Stores a signed-out edit in the local store. The owner does not change before that ends.
    private var merging: Task<Result<Void, DataError>, Never>?
    /// The number of refreshes under way.
    private var refreshes = 0

    /// - Parameters:
    ///   - offlineEdits: the handling of edits that cannot reach the server.
    ///   - clock: measures the intervals between refreshes and between attempts to send edits.
    ///   - now: the time of day.
    public init(
        data: DataManager,
        account: AccountManager,
        offlineEdits: OfflineEditPolicy = .fail,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.data = data
        self.account = account
        self.offlineEdits = offlineEdits
        self.clock = clock
        self.now = now
        let keepsEdits = if case .queue = offlineEdits { true } else { false }
        queue = CartQueue(keepsEdits: keepsEdits)
        account.followers.add(self)
    }

    deinit {
        retry?.cancel()
    }

    // MARK: The cart in memory

    /// The cart with its unconfirmed edits; nil while it is unknown.
    public nonisolated var state: CartState? { current.value }

    /// The current `state`, and again after each change.
    public nonisolated func states() -> AsyncStream<CartState?> { current.values() }

    /// Changes to the cart that its owner did not make. Updates without a subscriber wait for the first one. Of several
    /// subscribers, only the newest receives a refused edit, so that an app with two scenes shows it once.
    public nonisolated func updates() -> AsyncStream<CartUpdate> { updateStream.elements() }

    /// Loads the cart and the pending edits from this device, without waiting for the server.
    @discardableResult
    public func restore() async throws(DataError) -> CartState? {
        try await account.restore()
        await settleOwner()
        return state
    }

    // MARK: Refreshing

    /// Sends pending edits, then reads the cart with its current prices and stock. If this fails, the cart in memory
    /// does not change, and `state` contains the failure.
    ///
    /// - Parameter startsSession: whether to start a guest session if there is no session.
    /// - Throws: `.notSignedIn` if there is no session and none is started.
    @discardableResult
    public func refresh(startsSession: Bool = true) async throws(DataError) -> Cart {
        refreshes += 1
        defer { refreshes -= 1 }
        if startsSession {
            try await startSession()
        } else {
            try await restore()
            guard !queue.isSignedOut else { throw DataError(.notSignedIn) }
        }
        let ownership = queue.ownership
        do throws(DataError) {
            try await sendAll()
            return try await read()
        } catch {
            queue.didFailToRead(error, ownership: ownership)
            show()
            throw error
        }
    }

    /// Refreshes the cart at intervals until the task is cancelled, for example while the cart is on screen. Skips a
    /// refresh while another one is under way.
    public func keepFresh(every interval: Duration = .seconds(60)) async {
        while !Task.isCancelled {
            if refreshes == 0 { _ = try? await refresh() }
            guard (try? await clock.sleep(for: interval)) != nil else { return }
        }
    }

    /// Sends pending edits now, also those of an earlier process, without waiting for the next attempt.
    ///
    /// - Throws: the reason why they could not be sent. They stay pending.
    public func sendPending() async throws(DataError) {
        try await restore()
        guard !queue.entries.isEmpty else { return }
        try await startSession()
        try await sendAll()
    }

    /// Removes the cart, which was bought, from memory and from the local store.
    func didBuy() async { await perform(queue.didBuy()) }

    /// Makes a request after the pending edits, and uses the cart that it returns.
    func request(_ call: @Sendable (_ owner: String?) async throws(DataError) -> Cart) async throws(DataError) -> Cart {
        try await startSession()
        try await sendAll()
        return try await receive(call)
    }

    @discardableResult
    private func read() async throws(DataError) -> Cart {
        try await receive { [data] owner throws(DataError) in try await data.cart(of: owner) }
    }

    private func receive(
        _ call: @Sendable (_ owner: String?) async throws(DataError) -> Cart
    ) async throws(DataError) -> Cart {
        let generation = queue.generation
        let cart = try await call(queue.owner)
        // The owner may have changed while the request was under way.
        await settleOwner()
        await perform(queue.didRead(cart, generation: generation, at: now()))
        return cart
    }

    private func startSession() async throws(DataError) {
        try await account.sessionOrGuest()
        await settleOwner()
    }

    // MARK: The queue

    func edit(_ edit: CartEdit) async throws(DataError) -> Cart {
        try await account.restore()
        await settleOwner()
        let pending = try data.prepare(edit, of: queue.owner ?? UserSession.signedOutOwner)
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Cart, DataError>, Never>) in
                guard !Task.isCancelled else { return continuation.resume(returning: .failure(DataError(.cancelled))) }
                callers[pending.id] = continuation
                queue.append(pending)
                startWork()
            }
        } onCancel: {
            Task { await self.cancel(pending.id) }
        }
        .get()
    }

    private func cancel(_ key: String) async { await perform(queue.cancel(key)) }

    private func perform(_ effects: [CartQueue.Effect]) async {
        show()
        for effect in effects {
            switch effect {
            case .finish(let key, let result): callers.removeValue(forKey: key)?.resume(returning: result)
            case .publish(let update): updateStream.send(update, once: update.isRefusal)
            case .dropUpdates: updateStream.dropWaiting()
            case .discard(let write): try? await data.removePendingWrite(write)
            case .storeCart(let cart, let owner): try? await data.store(cart, of: owner)
            case .load(let owner, let ownership): loading = Task { await load(owner, ownership) }
            case .startWork: startWork()
            }
        }
    }

    private func show() { current.replace(queue.state) }

    // MARK: The worker

    /// Sends the pending edits, also while the server is known to be unreachable. Throws the reason why an edit could
    /// not be sent.
    private func sendAll() async throws(DataError) {
        // A worker started by another caller may not send these edits. Wait for it, then start one that does.
        while let worker { _ = try await worker.valueUnlessCancelled }
        guard !queue.entries.isEmpty else { return }
        if let ending = try await startWork(evenOffline: true).valueUnlessCancelled { throw ending }
    }

    /// - Returns: the worker; its value is the reason why it stopped, nil when the queue is empty.
    @discardableResult
    private func startWork(evenOffline: Bool = false) -> Task<DataError?, Never> {
        if let worker { return worker }
        retry?.cancel()
        retry = nil
        let task = Task { await work(evenOffline: evenOffline) }
        worker = task
        return task
    }

    private func work(evenOffline: Bool) async -> DataError? {
        while true {
            switch queue.nextStep(isOffline: !evenOffline && isOffline) {
            case .send(let entry):
                let result = await send(entry)
                await perform(queue.didSend(entry.key, result, at: now()))
            case .fail(let entry, let error): await perform(queue.didSend(entry.key, .failure(error), at: now()))
            case .store(let entry): await store(entry)
            case .merge(let entry): await merge(entry)
            case .compare(let replay):
                let result: Result<Cart, DataError>
                do throws(DataError) { result = .success(try await data.cart(of: queue.owner)) } catch {
                    result = .failure(error)
                }
                await perform(queue.didCompare(replay, result, at: now()))
            case .pause(let error, let wait):
                worker = nil
                pause(until: wait)
                return error
            case .done:
                worker = nil
                return nil
            }
        }
    }

    private var isOffline: Bool {
        if case .queue(let connection) = offlineEdits { connection.connection == .offline } else { false }
    }

    private func send(_ entry: CartQueue.Entry) async -> Result<Cart, DataError> {
        do throws(DataError) {
            if queue.keepsEdits, queue.base == nil, let sku = entry.edit.sku,
                try await data.storedProduct(sku: sku) == nil
            {
                // Without a cart or the product, the edit could not be shown if its outcome remained unknown.
                try await read()
            }
            let sent = try await data.markSent(entry.pending, isStored: entry.isStored)
            queue.willSend(sent)
            return .success(try await data.send(sent))
        } catch {
            if error.wasNeverSent { queue.willSend(entry.pending) }
            return .failure(error)
        }
    }

    private func store(_ entry: CartQueue.Entry) async {
        do throws(DataError) {
            if !entry.isStored { try await data.store(entry.pending) }
        } catch {
            return await perform(queue.didFailToStore(entry, error))
        }
        let product = await missingProduct(of: entry.edit, in: state?.cart.value)
        await perform(queue.didStore(entry, product: product))
    }

    private func merge(_ entry: CartQueue.Entry) async {
        let product = await missingProduct(of: entry.edit, in: state?.cart.value)
        do throws(DataError) {
            let merge = try queue.merge(entry, product: product)
            guard account.session == nil else { throw DataError(.sessionEnded) }
            let addition: PendingCartEdit?
            switch merge.addition {
            case entry.edit: addition = entry.pending
            case let edit?: addition = try data.prepare(edit, of: UserSession.signedOutOwner)
            case nil: addition = nil
            }
            let task = Task { await replace(merge, with: addition) }
            merging = task
            try await task.value.get()
        } catch {
            // A session now exists, and adopts the edit or refuses it.
            if account.session != nil { return await settleOwner() }
            await perform(queue.didFailToStore(entry, error))
        }
    }

    private func replace(_ merge: CartQueue.Merge, with addition: PendingCartEdit?) async -> Result<Void, DataError> {
        defer { merging = nil }
        do throws(DataError) {
            try await data.replace(merge.replaced.map(\.pending), of: UserSession.signedOutOwner, with: addition)
        } catch {
            return .failure(error)
        }
        await perform(queue.didMerge(merge, into: addition))
        return .success(())
    }

    /// The product that is needed to show the edit; nil if the cart has a line with it.
    private func missingProduct(of edit: CartEdit, in cart: Cart?) async -> Product? {
        guard let sku = edit.sku, cart?.lines.contains(where: { $0.sku == sku }) != true else { return nil }
        return try? await data.storedProduct(sku: sku)
    }

    /// Waits for the next attempt without keeping the manager alive.
    private func pause(until wait: CartQueue.Wait) {
        switch wait {
        case .request: break
        case .session:
            // The worker itself does not wait for the session, because a sign-in may wait for the worker.
            retry = Task { [weak self, account] in
                var failure: DataError?
                do throws(DataError) { try await account.sessionOrGuest() } catch { failure = error }
                // A session that adopts the edits also sends them.
                await self?.settleOwner()
                guard !Task.isCancelled else { return }
                await self?.tryAgain(failure)
            }
        case .server(let delay, let isRepeated):
            guard case .queue(let connection) = offlineEdits else { return }
            retry = Task { [weak self, clock] in
                let isOffline = connection.connection == .offline
                if isOffline {
                    for await now in connection.connections() where now == .online { break }
                }
                // Limits the requests to a server that is online and keeps failing these edits.
                if !isOffline || isRepeated { try? await clock.sleep(for: delay) }
                guard !Task.isCancelled else { return }
                await self?.tryAgain(nil)
            }
        }
    }

    private func tryAgain(_ sessionFailure: DataError?) {
        retry = nil
        guard !queue.entries.isEmpty else { return }
        queue.didFailToStartSession(sessionFailure)
        startWork()
    }
}

// MARK: The owner

extension CartManager: SessionFollower {
    func sessionWillChange() async {
        // An earlier process may have left edits of this owner.
        await settleOwner()
        if !queue.entries.isEmpty { _ = try? await startWork().valueUnlessCancelled }
    }

    func sessionDidChange() async { await settleOwner() }

    /// Adopts the owner of the current session. Notifications may arrive in any order.
    private func settleOwner() async {
        while let merging { _ = await merging.value }
        // An earlier process may have left signed-out edits.
        if queue.owner == nil || queue.isSignedOut, let session = account.session {
            await data.handOverSignedOutEdits(to: session)
        }
        let session = account.session
        if !queue.belongs(to: session) {
            retry?.cancel()
            retry = nil
            await perform(queue.ownerDidChange(to: session))
        }
        await loading?.value
    }

    private func load(_ owner: String, _ ownership: Int) async {
        let known = try? await data.storedCart(of: owner)
        var entries: [CartQueue.Entry] = []
        for pending in (try? await data.pendingCartEdits(of: owner)) ?? [] {
            let product = await missingProduct(of: pending.edit, in: known?.value)
            entries.append(CartQueue.Entry(pending: pending, isStored: true, isShown: true, product: product))
        }
        guard queue.ownership == ownership else { return }
        loading = nil
        await perform(queue.didLoad(known, entries, ownership: ownership))
    }
}

import PouchData
import PouchEntities

/// Edits on their way to the server.
extension CartManager {
    /// The longest wait between two tries, whatever the server asks for.
    private static let longestPause: Duration = .seconds(300)

    func change(_ edit: CartEdit) async throws(DataError) -> Cart {
        try await account.restore()
        await settleOwner()
        let entry = Entry(pending: try data.prepare(edit, of: owner ?? UserSession.nobody))
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

    /// Sends what is pending, also while the server is known not to answer.
    ///
    /// - Throws: what keeps the queue from getting on.
    func work() async throws(DataError) {
        // A worker that has begun may have decided already not to try.
        if let worker { _ = await worker.valueUnlessCancelled }
        guard !queue.isEmpty else { return }
        guard let ending = await startWork(evenOffline: true).valueUnlessCancelled else { throw DataError(.cancelled) }
        if let ending { throw ending }
    }

    /// - Parameter evenOffline: whether to try also while the server is known not to answer.
    /// - Returns: what keeps the queue from getting on; nil when it is empty.
    @discardableResult
    func startWork(evenOffline: Bool) -> Task<DataError?, Never> {
        if let worker { return worker }
        retry?.cancel()
        retry = nil
        let task = Task { await workOff(evenOffline: evenOffline) }
        worker = task
        return task
    }

    /// Sends one edit after the other. There is one of these at a time.
    private func workOff(evenOffline: Bool) async -> DataError? {
        repeat {
            while let next = queue.first {
                if let error = await workOff(next, evenOffline: evenOffline) { return stop(error) }
            }
            await endReplay()
        } while !queue.isEmpty
        worker = nil
        return nil
    }

    /// - Returns: what keeps the queue from getting on.
    private func workOff(_ next: Entry, evenOffline: Bool) async -> DataError? {
        if case .queue(let connection) = outage, connection.connection == .offline, !evenOffline {
            await showAll(DataError(.unreachable))
            return queue.isEmpty ? nil : DataError(.unreachable)
        }
        let result: Result<Cart, DataError>
        if owner != UserSession.nobody {
            sending = next.key
            result = await send(next)
            sending = nil
        } else if let error = sessionFailure {
            sessionFailure = nil
            result = .failure(error)
        } else {
            return DataError(.notSignedIn)
        }
        // Its owner may have gone meanwhile, and with it the queue.
        guard queue.first?.key == next.key else { return nil }
        switch result {
        case .success(let cart): await confirm(cart)
        case .failure(let error) where isQueueing && (error.leavesOutcomeOpen || next.isShown && error.isOfDevice):
            failures += 1
            await showAll(error)
            return queue.isEmpty ? nil : error
        case .failure(let error):
            remove(next.key)
            // What is told as refused must not be done later.
            try? await data.removePendingWrite(next.pending.write)
            refuse(next, error)
        }
        failures = 0
        return nil
    }

    private func send(_ entry: Entry) async -> Result<Cart, DataError> {
        let isRepeat = entry.pending.write.firstSentAt != nil
        do throws(DataError) {
            if isQueueing, base == nil, let sku = entry.pending.edit.sku, try await data.storedProduct(sku: sku) == nil
            {
                // Without a cart or the product there is nothing to show the edit in, should its outcome stay open.
                try await read()
            }
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
        let known = base?.cart
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
        do throws(DataError) {
            let cart = try await data.cart(of: owner)
            if generation == asked { _ = await take(cart) }
        } catch {
            if generation == asked { failure = error }
            show()
        }
        guard generation == asked, let base = base?.cart else { return }
        let expected = ended.confirmed.reduce(ended.start) { cart, entry in
            (try? Self.applying(entry, to: cart)) ?? cart
        }
        if let expected { tell(base.changes(from: expected)) }
    }

    func refuse(_ entry: Entry, _ error: DataError) {
        if let waiter = waiting.removeValue(forKey: entry.key) {
            waiter.resume(returning: .failure(error))
        } else if entry.isShown {
            news.tell(.refused(entry.pending.edit, error))
        }
        show()
    }

    /// Shows what cannot be sent now, in its order, also what comes meanwhile. An edit that cannot be shown fails, unless the
    /// server may have done it: then it only counts as pending.
    private func showAll(_ error: DataError) async {
        while var entry = queue.first(where: { !$0.isShown }) {
            let isNobodys = owner == UserSession.nobody
            do throws(DataError) {
                if !entry.isKept, !isNobodys { try await data.keep(entry.pending) }
                entry.product = await product(of: entry.pending.edit, in: cart)
                let expected = try Self.applying(entry, to: cart)
                if isNobodys {
                    try await keepForNobody(entry, in: expected)
                    continue
                }
            } catch let failure {
                // Whoever has come takes it over, or does not.
                if isNobodys, account.session != nil { return }
                let isUnknown = failure.reason == .unknownSKU
                if !isUnknown || entry.pending.write.firstSentAt == nil {
                    remove(entry.key)
                    try? await data.removePendingWrite(entry.pending.write)
                    refuse(entry, isUnknown ? error : failure)
                    continue
                }
            }
            guard let index = queue.firstIndex(where: { $0.key == entry.key }) else {
                // Its caller has given up meanwhile.
                try? await data.removePendingWrite(entry.pending.write)
                continue
            }
            queue[index].product = entry.product
            queue[index].isKept = true
            queue[index].isShown = true
            show()
            if let cart { waiting.removeValue(forKey: entry.key)?.resume(returning: .success(cart)) }
        }
    }

    func product(of edit: CartEdit, in cart: Cart?) async -> Product? {
        guard let sku = edit.sku, cart?.lines.contains(where: { $0.sku == sku }) != true else { return nil }
        return try? await data.storedProduct(sku: sku)
    }

    /// Waits for the next try without keeping the manager alive.
    private func stop(_ error: DataError) -> DataError {
        worker = nil
        if owner == UserSession.nobody, error.reason == .notSignedIn {
            askForSession()
            return error
        }
        // Whose session has ended cannot be helped by trying again.
        guard case .queue(let connection) = outage, error.reason == .localStore || !error.isOfDevice else {
            return error
        }
        let pause = min(error.retryAfter ?? .seconds(1 << min(failures, 6)), Self.longestPause)
        let failures = failures
        retry = Task { [weak self, clock] in
            let isOffline = connection.connection == .offline
            if isOffline {
                for await now in connection.connections() where now == .online { break }
            }
            // A server that answers, and again and again not to this, is not to be asked all the time.
            if !isOffline || failures > 1 { try? await clock.sleep(for: pause) }
            guard !Task.isCancelled else { return }
            await self?.tryAgain()
        }
        if queue.contains(where: { !$0.isShown }) { startWork(evenOffline: false) }
        return error
    }

    /// The edits of nobody go over to the session that somebody begins, or to a guest's. The worker does not wait for it,
    /// since whoever signs in may wait for the worker.
    private func askForSession() {
        retry = Task { [weak self, account] in
            var failure: DataError?
            do throws(DataError) {
                try await account.sessionOrGuest()
            } catch {
                failure = error
            }
            // Where the edits have gone over to it, they are on their way.
            await self?.settleOwner()
            guard !Task.isCancelled else { return }
            await self?.tryAgain(failure)
        }
    }

    private func tryAgain(_ failure: DataError? = nil) {
        retry = nil
        guard !queue.isEmpty else { return }
        sessionFailure = failure
        startWork(evenOffline: false)
    }
}

extension DataError {
    /// Whether it is about who is signed in or what is kept on this device, and not about what was asked.
    fileprivate var isOfDevice: Bool {
        switch reason {
        case .sessionEnded, .notSignedIn, .sessionStorage, .localStore: true
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

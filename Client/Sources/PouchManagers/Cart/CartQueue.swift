import Foundation
import PouchData
import PouchEntities

/// The edits of one cart on their way to the server, and the cart with these edits applied. A state machine without I/O
/// and without a clock. `CartManager` reports events and performs what the machine returns: a `Step` is the worker's
/// next task, whose outcome the worker reports before it requests another; `Effect`s are performed in order.
struct CartQueue {
    /// The maximum pause, even if the server requests a longer one.
    private static let longestPause: Duration = .seconds(300)

    /// Whether edits that cannot reach the server stay in the queue. Otherwise they fail.
    let keepsEdits: Bool
    private(set) var entries: [Entry] = []
    /// nil before the session was restored; `UserSession.signedOutOwner` while signed out.
    private(set) var owner: String?
    private(set) var base: Dated<Cart>?
    /// Increased for each new owner.
    private(set) var ownership = 0
    /// Increased when the cart in memory is removed. Responses to earlier requests must not restore it.
    private(set) var generation = 0
    private var hasAccount = false
    /// The reason why the last read failed.
    private var readFailure: DataError?
    private var sending: String?
    /// The reason why edits cannot be sent now, so that the remaining edits are shown as unconfirmed.
    private var obstacle: DataError?
    private var sessionFailure: DataError?
    private var replay: Replay?
    /// The number of consecutive attempts after which the outcome of the first edit is unknown.
    private var failures = 0

    init(keepsEdits: Bool) {
        self.keepsEdits = keepsEdits
    }

    var isSignedOut: Bool { owner == UserSession.signedOutOwner }

    /// The server's cart with the unconfirmed edits applied; nil while it is unknown.
    var state: CartState? {
        cart.map {
            CartState(
                Dated($0, asOf: base?.asOf, failure: readFailure), pendingCount: entries.count(where: \.isShown))
        }
    }

    private var cart: Cart? {
        entries.filter(\.isShown).reduce(base?.value) { cart, entry in (try? entry.applied(to: cart)) ?? cart }
    }

    // MARK: Edits

    mutating func append(_ pending: PendingCartEdit) {
        entries.append(Entry(pending: pending, hasCaller: true))
    }

    /// The caller no longer waits. An edit that is being sent continues; the cart shows its outcome.
    mutating func cancel(_ key: String) -> [Effect] {
        guard let index = index(of: key), entries[index].hasCaller else { return [] }
        entries[index].hasCaller = false
        let finish = Effect.finish(key: key, .failure(DataError(.cancelled)))
        guard sending != key else { return [finish] }
        let entry = entries.remove(at: index)
        return entry.isStored ? [finish, .discard(entry.pending.write)] : [finish]
    }

    // MARK: The worker

    mutating func nextStep(isOffline: Bool) -> Step {
        if let error = obstacle {
            if let entry = entries.first(where: { !$0.isShown }) {
                return isSignedOut ? .merge(entry) : .store(entry)
            }
            obstacle = nil
            if !entries.isEmpty { return .pause(error, wait(after: error)) }
        }
        guard let first = entries.first else {
            guard var ended = replay else { return .done }
            replay = nil
            ended.generation = generation
            return .compare(ended)
        }
        if keepsEdits, isOffline {
            obstacle = DataError(.unreachable)
            return nextStep(isOffline: isOffline)
        }
        guard isSignedOut else {
            sending = first.key
            return .send(first)
        }
        guard let error = sessionFailure else { return .pause(DataError(.notSignedIn), .session) }
        sessionFailure = nil
        return .fail(first, error)
    }

    /// The edit is stored as about to be sent, or as before if nothing was sent.
    mutating func willSend(_ pending: PendingCartEdit) {
        guard let index = index(of: pending.id) else { return }
        entries[index].pending = pending
        entries[index].isStored = true
    }

    mutating func didSend(_ key: String, _ result: Result<Cart, DataError>, at date: Date) -> [Effect] {
        sending = nil
        // The owner, and with it the queue, may have changed.
        guard let entry = entries.first, entry.key == key else { return [] }
        switch result {
        case .success(let cart):
            failures = 0
            return confirm(cart, at: date)
        case .failure(let error) where keepsEdits && (error.reason.isUndecided || entry.isShown && error.isOfDevice):
            failures += 1
            obstacle = error
            return []
        case .failure(let error):
            failures = 0
            entries.removeFirst()
            // The refusal is reported, so a later process must not send the edit.
            return [.discard(entry.pending.write)] + refusal(of: entry, error)
        }
    }

    private mutating func confirm(_ cart: Cart, at date: Date) -> [Effect] {
        let entry = entries.removeFirst()
        let known = base?.value
        let isReplayed = entry.isShown || replay != nil
        if isReplayed {
            replay = Replay(start: replay?.start ?? known, confirmed: (replay?.confirmed ?? []) + [entry])
        }
        var effects: [Effect] = []
        if take(cart, at: date) {
            if !isReplayed, let known, let expected = try? entry.applied(to: known) {
                effects += update(cart.changes(from: expected))
            }
            effects += storing
        }
        return entry.hasCaller ? effects + [.finish(key: entry.key, .success(cart))] : effects
    }

    /// The response to a repeated request may be the stored response to the first one. The cart is therefore read again
    /// after a replay, and compared with the shown one.
    mutating func didCompare(_ replay: Replay, _ result: Result<Cart, DataError>, at date: Date) -> [Effect] {
        guard replay.generation == generation else { return [] }
        var effects: [Effect] = []
        switch result {
        case .success(let cart): if take(cart, at: date) { effects = storing }
        case .failure(let error): readFailure = error
        }
        let expected = replay.confirmed.reduce(replay.start) { cart, entry in (try? entry.applied(to: cart)) ?? cart }
        if let cart = base?.value, let expected { effects = update(cart.changes(from: expected)) + effects }
        return effects
    }

    private func wait(after error: DataError) -> Wait {
        if isSignedOut, error.reason == .notSignedIn { return .session }
        // Another attempt cannot help an edit whose session has ended.
        guard keepsEdits, error.reason == .localStore || !error.isOfDevice else { return .request }
        let delay = min(error.retryAfter ?? .seconds(1 << min(failures, 6)), Self.longestPause)
        return .server(delay, isRepeated: failures > 1)
    }

    /// No session could be started for the signed-out edits; nil withdraws an earlier report.
    mutating func didFailToStartSession(_ error: DataError?) {
        sessionFailure = error
    }

    // MARK: Edits that cannot be sent now

    mutating func didStore(_ entry: Entry, product: Product?) -> [Effect] {
        var shown = entry
        shown.product = product
        do throws(DataError) {
            _ = try shown.applied(to: cart)
        } catch {
            // The server may have executed the edit: it stays pending although it cannot be shown.
            guard error.reason == .unknownSKU, entry.wasSent else { return didFailToStore(entry, error) }
        }
        guard let index = index(of: entry.key) else {
            // Its caller has cancelled.
            return [.discard(entry.pending.write)]
        }
        entries[index].product = product
        entries[index].isStored = true
        entries[index].isShown = true
        guard let cart, entries[index].hasCaller else { return [] }
        entries[index].hasCaller = false
        return [.finish(key: entry.key, .success(cart))]
    }

    mutating func didFailToStore(_ entry: Entry, _ error: DataError) -> [Effect] {
        let discard = Effect.discard(entry.pending.write)
        guard let index = index(of: entry.key) else { return [discard] }
        // Without the product, the edit fails with the reason why it could not be sent.
        let cause = error.reason == .unknownSKU ? obstacle ?? error : error
        return [discard] + refusal(of: entries.remove(at: index), cause)
    }

    /// Merges an edit into the signed-out cart. A line's new quantity replaces the earlier edits of the line, so that
    /// only additions remain pending: any session can adopt these, even an account whose cart already has lines.
    func merge(_ entry: Entry, product: Product?) throws(DataError) -> Merge {
        var new = entry
        new.product = product
        let cart = try new.applied(to: cart)
        let (replaced, addition): ([Entry], CartEdit?)
        switch entry.edit {
        case .add: (replaced, addition) = ([], entry.edit)
        case .set(let sku, let quantity) where quantity > 0:
            (replaced, addition) = (shownEdits(of: sku), .add(sku: sku, quantity: quantity))
        case .set(let sku, _), .remove(let sku): (replaced, addition) = (shownEdits(of: sku), nil)
        case .clear: (replaced, addition) = (entries.filter(\.isShown), nil)
        }
        return Merge(
            entry: entry, replaced: replaced, addition: addition,
            product: replaced.lazy.compactMap(\.product).first ?? product, cart: cart)
    }

    private func shownEdits(of sku: String) -> [Entry] {
        entries.filter { $0.isShown && $0.edit.sku == sku }
    }

    /// - Parameter addition: the edit as stored in the local store.
    mutating func didMerge(_ merge: Merge, into addition: PendingCartEdit?) -> [Effect] {
        let hasCaller = index(of: merge.entry.key).map { entries[$0].hasCaller } ?? false
        entries.removeAll { old in old.key == merge.entry.key || merge.replaced.contains { $0.key == old.key } }
        if let addition {
            let entry = Entry(pending: addition, isStored: true, isShown: true, product: merge.product)
            entries.insert(entry, at: entries.firstIndex { !$0.isShown } ?? entries.endIndex)
        }
        // Without lines, the cart is known to be empty.
        base = base ?? Dated<Cart>(.empty(in: merge.cart.totals.items.currency), asOf: nil)
        return hasCaller ? [.finish(key: merge.entry.key, .success(merge.cart))] : []
    }

    // MARK: The cart of the server

    mutating func didRead(_ cart: Cart, generation earlier: Int, at date: Date) -> [Effect] {
        guard generation == earlier else { return [] }
        let known = base?.value
        guard take(cart, at: date) else { return [] }
        return (known.map { update(cart.changes(from: $0)) } ?? []) + storing
    }

    mutating func didFailToRead(_ error: DataError, ownership earlier: Int) {
        if ownership == earlier, error.reason != .cancelled { readFailure = error }
    }

    /// The cart was bought: the one in memory and in the store is out of date.
    mutating func didBuy() -> [Effect] {
        generation += 1
        base = nil
        return storing
    }

    /// - Returns: false for a cart that is older than the known one; responses may arrive out of order.
    private mutating func take(_ cart: Cart, at date: Date) -> Bool {
        if let known = base?.value, known.id == cart.id, known.version > cart.version { return false }
        base = Dated<Cart>(cart, asOf: date)
        readFailure = nil
        return true
    }

    private var storing: [Effect] {
        guard keepsEdits, let owner else { return [] }
        return [.storeCart(base, owner: owner)]
    }

    // MARK: The owner

    func belongs(to session: UserSession?) -> Bool { owner == session?.owner ?? UserSession.signedOutOwner }

    mutating func ownerDidChange(to session: UserSession?) -> [Effect] {
        let (left, leavesAccount) = (entries, hasAccount)
        let owner = session?.owner ?? UserSession.signedOutOwner
        self.owner = owner
        hasAccount = session.map { $0.kind != .guest } ?? false
        ownership += 1
        generation += 1
        entries = []
        (base, readFailure, sessionFailure, replay, obstacle) = (nil, nil, nil, nil, nil)
        // Updates about an account's cart are only for its owner.
        var effects: [Effect] = leavesAccount ? [.dropUpdates] : []
        for entry in left {
            if leavesAccount {
                // The edit stays in the store for its owner.
                if entry.hasCaller { effects.append(.finish(key: entry.key, .failure(DataError(.sessionEnded)))) }
            } else if entry.key != sending, let adopted = session.flatMap(entry.pending.adopted) {
                var entry = entry
                entry.pending = adopted
                entries.append(entry)
            } else {
                // The guest session will not return to send it.
                effects += refusal(of: entry, DataError(entry.wasSent ? .outcomeUnknown : .sessionEnded))
            }
        }
        if keepsEdits { return effects + [.load(owner: owner, ownership: ownership)] }
        return entries.isEmpty ? effects : effects + [.startWork]
    }

    mutating func didLoad(_ cart: Dated<Cart>?, _ stored: [Entry], ownership earlier: Int) -> [Effect] {
        guard ownership == earlier else { return [] }
        if base == nil { base = cart }
        entries.insert(contentsOf: stored.filter { index(of: $0.key) == nil }, at: 0)
        return entries.isEmpty ? [] : [.startWork]
    }

    // MARK: Outcomes

    private func refusal(of entry: Entry, _ error: DataError) -> [Effect] {
        if entry.hasCaller { return [.finish(key: entry.key, .failure(error))] }
        return entry.isShown ? [.publish(.refused(entry.edit, error))] : []
    }

    /// Publishes changes, except those of lines that are being edited: the edit itself may have caused them.
    private func update(_ changes: [CartChange]) -> [Effect] {
        let foreign = changes.filter { change in !entries.contains { $0.edit == .clear || $0.edit.sku == change.sku } }
        return foreign.isEmpty ? [] : [.publish(.changed(foreign))]
    }

    private func index(of key: String) -> Int? { entries.firstIndex { $0.key == key } }
}

extension DataError {
    /// Whether the error concerns the session or the local store rather than the edit.
    fileprivate var isOfDevice: Bool {
        [.sessionEnded, .notSignedIn, .sessionStorage, .localStore].contains(reason)
    }

    fileprivate var retryAfter: Duration? {
        switch reason {
        case .busy(let wait), .stillRunning(let wait): wait
        default: nil
        }
    }
}

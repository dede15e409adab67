import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchTesting
import Testing

@testable import PouchManagers

/// The transitions of the cart's queue, one by one, without server, store or clock.
struct CartQueueTests {
    private let product = Fixture.product(sku: "a")
    private let test: QueueUnderTest

    init() throws { test = try QueueUnderTest(of: Shopper.ada.session) }

    private func failure(_ reason: DataError.Reason) -> Result<Cart, DataError> { .failure(DataError(reason)) }

    private func stored(_ cart: Cart) -> CartQueue.Effect {
        .storeCart(Dated<Cart>(cart, asOf: Date.sample), owner: Shopper.ada.owner)
    }

    private func cart(version: Int = 2, _ lines: CartLine...) -> Cart {
        Fixture.cart(version: version, total: lines.reduce(0) { $0 + $1.lineTotal.amount }, lines: lines)
    }

    // MARK: Sending

    @Test func `an edit is sent, and its caller gets the server's cart after it was stored`() throws {
        let entry = try test.append(.add(sku: "a", quantity: 1))
        let answer = cart(Fixture.line("a", 1))
        #expect(try test.send(.success(answer)) == [stored(answer), .finish(key: entry.key, .success(answer))])
        #expect(test.queue.state?.cart.value == answer && test.queue.state?.isConfirmed == true)
        #expect(test.queue.nextStep(isOffline: false) == .done)
    }

    @Test func `changes that the edit did not make are published, except of lines still being edited`() throws {
        let known = cart(version: 1, Fixture.line("a", 1), Fixture.line("b", 1), Fixture.line("c", 1))
        let test = try QueueUnderTest(of: Shopper.ada.session, cart: known)
        _ = try test.append(.set(sku: "a", quantity: 2))
        _ = try test.append(.set(sku: "b", quantity: 2))
        let dear = Fixture.euros(1500)
        let answer = cart(Fixture.line("a", 2), Fixture.line("b", 1, price: dear), Fixture.line("c", 1, price: dear))
        let effects = try test.send(.success(answer))
        #expect(effects.first == .publish(.changed([.priceChanged(sku: "c", from: Fixture.euros(1000), to: dear)])))
    }

    @Test func `a refusal is returned to the caller, and removed from the store before`() throws {
        _ = try test.append(.add(sku: "a", quantity: 1))
        let effects = try test.send(failure(.unknownSKU))
        guard case .discard(let write)? = effects.first, effects.count == 2 else { throw CancellationError() }
        #expect(effects.last == .finish(key: write.key, failure(.unknownSKU)))
        #expect(test.queue.entries.isEmpty && test.queue.nextStep(isOffline: false) == .done)
    }

    // MARK: Edits that cannot be sent

    @Test func `pauses double up to a minute, and follow the server's wish up to five`() throws {
        let test = try QueueUnderTest(of: Shopper.ada.session, cart: cart(version: 1, Fixture.line("a", 1)))
        _ = try test.append(.set(sku: "a", quantity: 2))
        func pause(after reason: DataError.Reason) throws -> CartQueue.Wait? {
            _ = try test.send(failure(reason))
            var step = test.queue.nextStep(isOffline: false)
            if case .store(let entry) = step {
                _ = test.queue.didStore(entry, product: nil)
                step = test.queue.nextStep(isOffline: false)
            }
            guard case .pause(_, let wait) = step else { return nil }
            return wait
        }
        for (index, seconds) in [2, 4, 8, 16, 32, 64, 64].enumerated() {
            #expect(try pause(after: .unreachable) == .server(.seconds(seconds), isRepeated: index > 0))
        }
        let years = DataError.Reason.busy(retryAfter: .seconds(1_000_000_000))
        #expect(try pause(after: years) == .server(.seconds(300), isRepeated: true))
    }

    @Test func `an edit that cannot be stored fails with the store's error`() throws {
        let entry = try test.append(.add(sku: "a", quantity: 1))
        #expect(test.queue.nextStep(isOffline: true) == .store(entry))
        let effects = test.queue.didFailToStore(entry, DataError(.localStore))
        #expect(effects == [.discard(entry.pending.write), .finish(key: entry.key, failure(.localStore))])
    }

    @Test func `a shown edit waits for the next request after its session has ended`() throws {
        let test = try QueueUnderTest(of: Shopper.ada.session, cart: cart(version: 1, Fixture.line("a", 1)))
        let entry = try test.append(.set(sku: "a", quantity: 2))
        #expect(test.queue.nextStep(isOffline: true) == .store(entry))
        _ = test.queue.didStore(entry, product: nil)
        _ = test.queue.nextStep(isOffline: true)
        #expect(try test.send(failure(.sessionEnded)).isEmpty)
        #expect(test.queue.nextStep(isOffline: false) == .pause(DataError(.sessionEnded), .request))
        #expect(test.queue.state?.pendingCount == 1)
    }

    // MARK: Replay

    /// A queue with an edit that is shown, and whose first answer was lost.
    private func replaying(_ edit: CartEdit) throws -> QueueUnderTest {
        let test = try QueueUnderTest(
            of: Shopper.ada.session, cart: cart(version: 1, Fixture.line("a", 1), Fixture.line("b", 1)))
        _ = try test.append(edit)
        _ = try test.send(failure(.timedOut))
        guard case .store(let entry) = test.queue.nextStep(isOffline: false) else { throw CancellationError() }
        _ = test.queue.didStore(entry, product: nil)
        _ = test.queue.nextStep(isOffline: false)
        return test
    }

    @Test func `a comparison that fails, or is overtaken by a purchase, publishes no wrong changes`() throws {
        let test = try replaying(.set(sku: "a", quantity: 3))
        _ = try test.send(.success(cart(Fixture.line("a", 3), Fixture.line("b", 1))))
        guard case .compare(let replay) = test.queue.nextStep(isOffline: false) else { throw CancellationError() }
        var bought = test.queue
        #expect(bought.didBuy() == [.storeCart(nil, owner: Shopper.ada.owner)])
        #expect(bought.didCompare(replay, .success(cart(version: 9)), at: Date.sample) == [])
        #expect(bought.state == nil)
        #expect(test.queue.didCompare(replay, failure(.unreachable), at: Date.sample) == [])
        #expect(test.queue.state?.cart.failure?.reason == .unreachable)
    }

    // MARK: Cancellation

    @Test func `a cancelled edit that waits is removed, and one under way continues without its caller`() throws {
        let first = try test.append(.add(sku: "a", quantity: 1))
        let second = try test.append(.add(sku: "b", quantity: 1))
        #expect(test.queue.nextStep(isOffline: false) == .send(first))
        #expect(test.queue.cancel(second.key) == [.finish(key: second.key, failure(.cancelled))])
        #expect(test.queue.cancel(first.key) == [.finish(key: first.key, failure(.cancelled))])
        #expect(test.queue.cancel(first.key) == [] && test.queue.entries.map(\.key) == [first.key])
        let answer = cart(Fixture.line("a", 1))
        #expect(test.queue.didSend(first.key, .success(answer), at: Date.sample) == [stored(answer)])
    }

    @Test func `an edit that is cancelled while it is stored is removed from the store`() throws {
        let entry = try test.append(.add(sku: "a", quantity: 1))
        #expect(test.queue.nextStep(isOffline: true) == .store(entry))
        _ = test.queue.cancel(entry.key)
        #expect(test.queue.didStore(entry, product: product) == [.discard(entry.pending.write)])
        #expect(test.queue.nextStep(isOffline: true) == .done)
    }

    // MARK: The owner

    @Test func `an account's edits stay in its store, its callers return, and its updates are dropped`() throws {
        let test = try replaying(.set(sku: "a", quantity: 3))
        let waiting = try test.append(.add(sku: "b", quantity: 1))
        let effects = test.queue.ownerDidChange(to: nil)
        #expect(
            effects == [
                .dropUpdates, .finish(key: waiting.key, failure(.sessionEnded)),
                .load(owner: UserSession.signedOutOwner, ownership: test.queue.ownership),
            ])
        #expect(test.queue.entries.isEmpty && test.queue.isSignedOut)
    }

    @Test func `a new guest adopts all signed-out edits`() throws {
        let test = try QueueUnderTest(of: nil, cart: nil, keepsEdits: false)
        let edits: [CartEdit] = [.add(sku: "a", quantity: 1), .set(sku: "a", quantity: 2), .remove(sku: "a"), .clear]
        for edit in edits { _ = try test.append(edit) }
        #expect(test.queue.ownerDidChange(to: Shopper.guest.session) == [.startWork])
        #expect(test.queue.entries.map(\.edit) == edits)
        #expect(test.queue.entries.allSatisfy { $0.pending.write.owner == Shopper.guest.owner })
    }

    @Test func `stored edits come before those of this process, once, and only for the present owner`() throws {
        let test = try QueueUnderTest(of: nil)
        _ = test.queue.ownerDidChange(to: Shopper.ada.session)
        let new = try test.append(.add(sku: "b", quantity: 1))
        let old = CartQueue.Entry(
            pending: try test.prepare(.add(sku: "a", quantity: 1)), isStored: true, isShown: true, product: product)
        #expect(test.queue.didLoad(nil, [old], ownership: test.queue.ownership - 1) == [])
        #expect(test.queue.entries == [new])
        #expect(test.queue.didLoad(nil, [old, new], ownership: test.queue.ownership) == [.startWork])
        #expect(test.queue.entries == [old, new] && test.queue.state?.cart.quantities == ["a 1"])
    }

    // MARK: Signed out

    @Test func `signed-out edits merge into one addition for each line`() throws {
        let test = try QueueUnderTest(of: nil, cart: nil)
        #expect(try test.merge(.add(sku: "a", quantity: 2), of: product).cart.quantities == ["a 2"])
        #expect(try test.merge(.add(sku: "a", quantity: 1), of: product).cart.quantities == ["a 3"])
        #expect(test.queue.entries.map(\.edit) == [.add(sku: "a", quantity: 2), .add(sku: "a", quantity: 1)])
        #expect(try test.merge(.set(sku: "a", quantity: 5), of: product).replaced.count == 2)
        #expect(test.queue.entries.map(\.edit) == [.add(sku: "a", quantity: 5)])
        #expect(test.queue.state?.cart.quantities == ["a 5"] && test.queue.state?.pendingCount == 1)
        _ = try test.merge(.remove(sku: "a"), of: product)
        #expect(test.queue.entries.isEmpty && test.queue.state?.cart.lines == [])
        _ = try test.merge(.add(sku: "a", quantity: 2), of: product)
        _ = try test.merge(.clear, of: product)
        #expect(test.queue.entries.isEmpty && test.queue.state?.pendingCount == 0)
    }

    @Test func `signed-out edits wait for a session, and are shown when none can be had`() throws {
        let test = try QueueUnderTest(of: nil, cart: nil)
        let entry = try test.append(.add(sku: "a", quantity: 1))
        #expect(test.queue.nextStep(isOffline: false) == .pause(DataError(.notSignedIn), .session))
        let error = DataError(.serverFailed)
        test.queue.didFailToStartSession(error)
        #expect(test.queue.nextStep(isOffline: false) == .fail(entry, error))
        #expect(test.queue.didSend(entry.key, .failure(error), at: Date.sample) == [])
        #expect(test.queue.nextStep(isOffline: false) == .merge(entry))
        let merge = try test.queue.merge(entry, product: product)
        _ = test.queue.didMerge(merge, into: entry.pending)
        #expect(test.queue.nextStep(isOffline: false) == .pause(error, .server(.seconds(2), isRepeated: false)))
    }

    // MARK: Reading

    @Test func `an older cart, and one of an earlier generation, is ignored`() throws {
        let known = cart(version: 5, Fixture.line("a", 2))
        let test = try QueueUnderTest(of: Shopper.ada.session, cart: known)
        let asked = test.queue.generation
        #expect(test.queue.didRead(cart(version: 4), generation: asked, at: Date.sample) == [])
        #expect(test.queue.state?.cart.value == known)
        let newer = cart(version: 6, Fixture.line("a", 1))
        #expect(
            test.queue.didRead(newer, generation: asked, at: Date.sample) == [
                .publish(.changed([.quantity(sku: "a", .quantityReduced, from: 2, to: 1)])), stored(newer),
            ])
        _ = test.queue.didBuy()
        #expect(test.queue.didRead(known, generation: asked, at: Date.sample) == [] && test.queue.state == nil)
    }

    @Test func `a failed refresh shows in the state until the next success, unless the owner has changed`() throws {
        test.queue.didFailToRead(DataError(.unreachable), ownership: test.queue.ownership - 1)
        test.queue.didFailToRead(DataError(.cancelled), ownership: test.queue.ownership)
        #expect(test.queue.state?.cart.failure == nil)
        test.queue.didFailToRead(DataError(.unreachable), ownership: test.queue.ownership)
        #expect(test.queue.state?.cart.failure?.reason == .unreachable)
        _ = test.queue.didRead(cart(), generation: test.queue.generation, at: Date.sample)
        #expect(test.queue.state?.cart.failure == nil)
    }
}

/// A queue that has loaded the owner's cart.
private final class QueueUnderTest {
    var queue: CartQueue
    private let data: DataManager

    init(of session: UserSession?, cart: Cart? = Fixture.cart(total: 0), keepsEdits: Bool = true) throws {
        let keys = Counter()
        data = DataManager(
            service: try makeService(over: StubTransport { _ in .problem(.internalError) }), now: { Date.sample },
            makeKey: { "key \(keys.increment())" })
        queue = CartQueue(keepsEdits: keepsEdits)
        _ = queue.ownerDidChange(to: session)
        _ = queue.didLoad(cart.map { Dated<Cart>($0, asOf: Date.sample) }, [], ownership: queue.ownership)
    }

    func prepare(_ edit: CartEdit) throws -> PendingCartEdit {
        try data.prepare(edit, of: queue.owner ?? UserSession.signedOutOwner)
    }

    func append(_ edit: CartEdit) throws -> CartQueue.Entry {
        queue.append(try prepare(edit))
        return try #require(queue.entries.last)
    }

    /// Sends the first edit up to its outcome.
    func send(_ result: Result<Cart, DataError>) throws -> [CartQueue.Effect] {
        guard case .send(let entry) = queue.nextStep(isOffline: false) else { throw CancellationError() }
        queue.willSend(entry.pending.sent(at: Date.sample))
        return queue.didSend(entry.key, result, at: Date.sample)
    }

    /// Performs a signed-out edit.
    func merge(_ edit: CartEdit, of product: Product) throws -> CartQueue.Merge {
        _ = try append(edit)
        guard case .merge(let entry) = queue.nextStep(isOffline: true) else { throw CancellationError() }
        let merge = try queue.merge(entry, product: product)
        let effects = queue.didMerge(merge, into: try merge.addition.map(prepare))
        #expect(effects == [.finish(key: entry.key, .success(merge.cart))])
        return merge
    }
}

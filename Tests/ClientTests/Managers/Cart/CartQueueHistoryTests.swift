import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchTesting
import SeededRandom
import Testing

@testable import PouchManagers

/// Random histories of the cart's queue against a small server and store.
struct CartQueueHistoryTests {
    @Test(arguments: UInt64(0)..<200)
    func `every caller gets one result, every edit has at most one effect, in its owner's name`(seed: UInt64) throws {
        let history = try History(seed: seed)
        for _ in 0..<60 { try history.advance() }
        try history.settle()
        #expect(history.callers.isEmpty && history.queue.entries.isEmpty)
        #expect(history.stored.values.allSatisfy { $0.owner != history.session?.owner })
        #expect(history.queue.state?.isConfirmed != false)
    }
}

private final class History {
    private(set) var queue = CartQueue(keepsEdits: true)
    private(set) var session: UserSession?
    /// The callers that wait.
    private(set) var callers: Set<String> = []
    /// The writes in the local store, by key.
    private(set) var stored: [String: PendingWrite] = [:]
    private var order: [PendingCartEdit] = []
    /// The edits that the server has executed, by key, with their owners.
    private var executed: [String: String] = [:]
    private var version = 0
    private var isOnline = true
    private var random: SplitMix64
    private let data: DataManager
    private let product = Fixture.product(sku: "a")

    init(seed: UInt64) throws {
        let keys = Counter()
        data = DataManager(
            service: try makeService(over: StubTransport { _ in .problem(.internalError) }), now: { Date.sample },
            makeKey: { "key \(keys.increment())" })
        random = SplitMix64(seed: seed)
        perform(queue.ownerDidChange(to: nil))
    }

    /// One event: an edit, a cancellation, another connection or session, or a step of the worker.
    func advance() throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...1:
            let quantity = Int.random(in: 1...3, using: &random)
            let edits: [CartEdit] = [
                .add(sku: "a", quantity: quantity), .set(sku: "a", quantity: quantity), .remove(sku: "a"), .clear,
            ]
            let pending = try prepare(edits[Int.random(in: 0..<4, using: &random)])
            callers.insert(pending.id)
            queue.append(pending)
        case 2: if let key = callers.min() { perform(queue.cancel(key)) }
        case 3: isOnline.toggle()
        case 4:
            let sessions = [nil, Shopper.guest.session, Shopper.ada.session]
            changeSession(to: sessions[Int.random(in: 0..<3, using: &random)])
        default: try work()
        }
    }

    /// Starts a session, goes online, and works until the queue is empty.
    func settle() throws {
        isOnline = true
        if session == nil { changeSession(to: Shopper.guest.session) }
        for _ in 0..<500 { if try work() == .done { return } }
    }

    private func prepare(_ edit: CartEdit) throws -> PendingCartEdit {
        try data.prepare(edit, of: queue.owner ?? UserSession.signedOutOwner)
    }

    private func changeSession(to next: UserSession?) {
        guard next?.owner != session?.owner else { return }
        // As the data manager does: the next session adopts what it may, and a guest's other edits are removed.
        let left = session
        session = next
        if left?.kind != .customer, let next {
            let owner = left?.owner ?? UserSession.signedOutOwner
            for (index, edit) in order.enumerated() where stored[edit.id]?.owner == owner {
                order[index] = edit.adopted(by: next) ?? edit
                stored[edit.id] = edit.adopted(by: next)?.write
            }
        }
        perform(queue.ownerDidChange(to: next))
    }

    private func keep(_ edit: PendingCartEdit) {
        stored[edit.id] = edit.write
        order.removeAll { $0.id == edit.id }
        order.append(edit)
    }

    @discardableResult
    private func work() throws -> CartQueue.Step {
        let step = queue.nextStep(isOffline: !isOnline)
        switch step {
        case .send(let entry):
            let sent = entry.pending.sent(at: Date.sample)
            keep(sent)
            queue.willSend(sent)
            perform(queue.didSend(entry.key, answer(to: sent.write), at: Date.sample))
        case .fail(let entry, let error): perform(queue.didSend(entry.key, .failure(error), at: Date.sample))
        case .store(let entry):
            keep(entry.pending)
            perform(queue.didStore(entry, product: product))
        case .merge(let entry):
            let merge = try queue.merge(entry, product: product)
            let addition = try merge.addition.map(prepare)
            for old in merge.replaced { stored[old.key] = nil }
            if let addition { keep(addition) }
            perform(queue.didMerge(merge, into: addition))
        case .compare(let replay): perform(queue.didCompare(replay, .success(cart()), at: Date.sample))
        case .pause(_, let wait): if wait == .session { queue.didFailToStartSession(DataError(.unreachable)) }
        case .done: break
        }
        return step
    }

    private func cart() -> Cart {
        version += 1
        return Fixture.cart(version: version, lines: [Fixture.line("a", 1)])
    }

    /// Executes the write once, and loses every third answer.
    private func answer(to write: PendingWrite) -> Result<Cart, DataError> {
        guard isOnline else { return .failure(DataError(.unreachable)) }
        #expect(executed[write.key] == nil || executed[write.key] == write.owner)
        #expect(write.owner == session?.owner)
        executed[write.key] = write.owner
        guard Int.random(in: 0..<3, using: &random) > 0 else { return .failure(DataError(.timedOut)) }
        stored[write.key] = nil
        return .success(cart())
    }

    private func perform(_ effects: [CartQueue.Effect]) {
        for effect in effects {
            switch effect {
            case .finish(let key, _): #expect(callers.remove(key) != nil)
            case .discard(let write): stored[write.key] = nil
            case .load(let owner, let ownership):
                let entries = order.filter { stored[$0.id]?.owner == owner }.map {
                    CartQueue.Entry(pending: $0, isStored: true, isShown: true, product: product)
                }
                perform(queue.didLoad(nil, entries, ownership: ownership))
            case .publish, .dropUpdates, .storeCart, .startWork: break
            }
        }
    }
}

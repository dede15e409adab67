import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchTesting
import Testing

/// The data of owners in both stores.
@Suite(.timeLimit(.minutes(5)))
struct PurchaseStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func order(_ number: Int, placed seconds: TimeInterval) -> Order {
        let order = Fixture.order(id: "ord_\(number)")
        return Order(
            id: order.id, number: order.number, status: order.status, lines: [], totals: order.totals,
            payment: order.payment, shipping: nil, email: nil, createdAt: Date.sample.addingTimeInterval(seconds),
            history: [])
    }

    private func stored(version: Int = 1, after seconds: TimeInterval = 0) -> Dated<Cart> {
        Dated(Fixture.cart(version: version), asOf: Date.sample.addingTimeInterval(seconds))
    }

    private func write(
        _ key: String, _ owner: String = "acc_1", kind: PendingWrite.Kind = .addCartLine, body: String = "{}",
        subject: String? = nil, sent: TimeInterval? = nil
    ) -> PendingWrite {
        PendingWrite(
            key: key, owner: owner, kind: kind, target: nil, body: Data(body.utf8), subject: subject,
            createdAt: Date.sample, firstSentAt: sent.map { Date.sample.addingTimeInterval($0) })
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a cart is its owner's alone, and never replaced by an earlier version`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        try await store.save(stored(version: 4), of: "acc_1")
        try await store.save(stored(version: 3, after: 60), of: "acc_1")
        #expect(try await store.cart(of: "acc_1") == stored(version: 4))
        try await store.save(stored(version: 4, after: 90), of: "acc_1")
        #expect(try await store.cart(of: "acc_1") == stored(version: 4, after: 90))
        #expect(try await store.cart(of: "acc_2") == nil)
        try await store.save(Dated(Fixture.cart(id: "crt_2"), asOf: nil), of: "acc_1")
        #expect(try await store.cart(of: "acc_1")?.id == "crt_2")
        try await store.save(nil, of: "acc_1")
        #expect(try await store.cart(of: "acc_1") == nil)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `orders are listed newest first, page by page, in their latest state`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        try await store.save((0..<7).map { order($0, placed: TimeInterval($0 / 2)) }, of: "acc_1")
        try await store.save([Fixture.order(id: "ord_9")], of: "acc_2")
        let cancelled = Fixture.order(id: "ord_9", status: .cancelled)
        try await store.save([cancelled], of: "acc_2")
        #expect(try await store.order(id: "ord_9", of: "acc_2") == cancelled)
        #expect(try await store.order(id: "ord_9", of: "acc_1") == nil)
        var ids: [String] = []
        var cursor: String?
        repeat {
            let page = try await store.orders(of: "acc_1", limit: 2, cursor: cursor)
            ids += page.items.map(\.id)
            cursor = page.nextCursor
        } while cursor != nil
        #expect(ids == (0..<7).reversed().map { "ord_\($0)" })
        await #expect(throws: StoreError.self) { try await store.orders(of: "acc_1", limit: nil, cursor: "rubbish") }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `pending writes are read back unchanged and in order, each key once`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        let writes = [
            write("c", body: #"{"b":1}"#), write("a", kind: .checkout, subject: "crt_1 3", sent: 1), write("b"),
        ]
        for write in writes { try await store.add(write) }
        try await store.add(write("a", body: "other"))
        try await store.add(write("a", "acc_2"))
        #expect(try await store.pendingWrites(of: "acc_1") == writes)
        try await store.removeWrite(key: "c", of: "acc_1")
        try await store.removeWrite(key: "c", of: "acc_1")
        #expect(try await store.pendingWrites(of: "acc_1").map(\.key) == ["a", "b"])
        #expect(try await store.pendingWrites(of: "acc_2").map(\.key) == ["a"])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `writes are replaced together or not at all`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        for key in ["a", "b", "c"] { try await store.add(write(key)) }
        try await store.add(write("a", "acc_2"))
        #expect(try await store.replaceWrites(keys: ["a", "c"], of: "acc_1", with: write("d")))
        #expect(try await store.pendingWrites(of: "acc_1").map(\.key) == ["b", "d"])
        #expect(try await store.pendingWrites(of: "acc_2").map(\.key) == ["a"])
        #expect(try await !store.replaceWrites(keys: ["b", "a"], of: "acc_1", with: write("e")))
        #expect(try await store.pendingWrites(of: "acc_1").map(\.key) == ["b", "d"])
        #expect(try await store.replaceWrites(keys: ["b"], of: "acc_1", with: nil))
        #expect(try await store.replaceWrites(keys: [], of: "acc_1", with: write("f")))
        #expect(try await store.pendingWrites(of: "acc_1").map(\.key) == ["d", "f"])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a write is removed, or unsent again, once its attempts are withdrawn`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        let purchase = write("a", kind: .checkout)
        let (later, once) = (Date.sample.addingTimeInterval(9), purchase.attempted(at: Date.sample))
        #expect(try await store.beginAttempt(of: purchase, at: Date.sample, sentAfter: nil) == once)
        #expect(try await store.beginAttempt(of: purchase, at: later, sentAfter: nil).attempts == 2)
        #expect(try await store.withdrawAttempt(key: "a", of: "acc_1", keepsUnsent: false) == 1)
        #expect(try await store.pendingWrites(of: "acc_1") == [once])
        #expect(try await store.withdrawAttempt(key: "a", of: "acc_1", keepsUnsent: false) == 0)
        #expect(try await store.withdrawAttempt(key: "a", of: "acc_1", keepsUnsent: false) == nil)
        let edit = write("b")
        try await store.add(edit)
        #expect(try await store.beginAttempt(key: "b", of: "acc_1", at: later) == edit.attempted(at: later))
        #expect(try await store.beginAttempt(key: "b", of: "acc_2", at: later) == nil)
        #expect(try await store.withdrawAttempt(key: "b", of: "acc_1", keepsUnsent: true) == 0)
        #expect(try await store.pendingWrites(of: "acc_1") == [edit])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a stored write that differs under the same key is returned unchanged`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        let stored = write("a", kind: .checkout, sent: 0)
        try await store.add(stored)
        let other = write("a", kind: .checkout, body: "other")
        #expect(try await store.beginAttempt(of: other, at: Date.sample, sentAfter: .distantPast) == stored)
        #expect(try await store.pendingWrites(of: "acc_1") == [stored])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `one of several equal writes at once is added, and the others find it`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        let found = try await withThrowingTaskGroup(of: PendingWrite.self) { group in
            for number in 0..<20 {
                let write = write("key-\(number)", kind: .checkout, subject: "crt_1 1")
                group.addTask { try await store.beginAttempt(of: write, at: Date.sample, sentAfter: .distantPast) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(found.map(\.key)).count == 1)
        #expect(found.map(\.attempts).sorted() == Array(1...20))
        #expect(try await store.pendingWrites(of: "acc_1").map(\.attempts) == [20])
        // A write for another cart, with another body, or after a write that is too old, is no repetition.
        let others = [
            write("x", kind: .checkout, subject: "crt_1 2"), write("y", kind: .checkout, body: "1", subject: "crt_1 1"),
        ]
        for other in others {
            #expect(try await store.beginAttempt(of: other, at: Date.sample, sentAfter: .distantPast).key == other.key)
        }
        let later = Date.sample.addingTimeInterval(1)
        let again = write("z", kind: .checkout, subject: "crt_1 1")
        #expect(try await store.beginAttempt(of: again, at: later, sentAfter: later).key == "z")
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `expired purchases lose their bodies, edits stay, and others are gone`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        let kinds: [PendingWrite.Kind] = [
            .checkout, .buyNow, .addCartLine, .setCartLine, .init(Contract.cancelOrder), .init(Contract.refundOrder),
        ]
        for kind in kinds {
            for (age, sent) in [("old", -100.0), ("new", 0), ("unsent", nil)] as [(String, TimeInterval?)] {
                try await store.add(write("\(age) \(kind.rawValue)", kind: kind, sent: sent))
            }
        }
        try await store.expire(sentBefore: Date.sample)
        let left = try await store.pendingWrites(of: "acc_1")
        let purchases = ["old checkout", "old buyNow"]
        #expect(left.filter { $0.body == nil }.map(\.key) == purchases)
        let old = left.map(\.key).filter { $0.hasPrefix("old") }
        #expect(old == purchases + ["old addCartLine", "old setCartLine"])
        #expect(left.count == 3 * kinds.count - 2)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `unsent edits and purchases without bodies are handed over`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        let guest = "ses_1"
        for write in [
            write("unsent", guest), write("sent", guest, sent: 0), write("set", guest, kind: .setCartLine),
            write("clear", guest, kind: .clearCart), write("purchase", guest, kind: .checkout),
            write("paid", guest, kind: .checkout, body: "tok_secret", sent: 0),
        ] { try await store.add(write) }
        try await store.save(stored(), of: guest)
        try await store.save([Fixture.order()], of: guest)
        try await store.add(write("own"))
        try await store.handOver([.addCartLine, .setCartLine], from: guest, to: "acc_1")
        #expect(try await store.pendingWrites(of: guest).isEmpty)
        let writes = try await store.pendingWrites(of: "acc_1")
        #expect(Set(writes.map(\.key)) == ["own", "unsent", "set", "paid"])
        let paid = try #require(writes.first { $0.key == "paid" })
        #expect(paid.body == nil && !paid.mayBeSent(at: Date.sample))
        #expect(try await store.cart(of: guest) == nil)
        #expect(try await store.orders(of: guest, limit: nil, cursor: nil).items.isEmpty)
        #expect(try await store.cart(of: "acc_1") == nil)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `removing one owner's data leaves the others' and the catalogue`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        try await store.merge([Fixture.product("a")])
        for owner in ["acc_1", "acc_2"] {
            try await store.save(stored(), of: owner)
            try await store.save([Fixture.order()], of: owner)
            try await store.add(write("k", owner))
        }
        try await store.removeEverything(of: "acc_1")
        #expect(try await store.cart(of: "acc_1") == nil)
        #expect(try await store.order(id: "ord_1", of: "acc_1") == nil)
        #expect(try await store.pendingWrites(of: "acc_1").isEmpty)
        #expect(try await store.cart(of: "acc_2") != nil)
        #expect(try await store.order(id: "ord_1", of: "acc_2") != nil)
        #expect(try await store.pendingWrites(of: "acc_2").count == 1)
        #expect(try await store.product(handle: "a") != nil)
    }

    @Test func `neither printing nor dumping a pending write shows its body`() {
        let secret = write("k", kind: .checkout, body: "tok_secret")
        #expect(!"\(secret)\(dumped(secret))".contains("tok_secret"))
    }
}

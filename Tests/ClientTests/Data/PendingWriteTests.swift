import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchNetwork
import PouchPersistence
import PouchService
import PouchTesting
import PouchWire
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PendingWriteTests {
    private let store = MemoryStore()
    private let owner = "acc_1"

    private func manager(
        over transport: any Transport, store: (any LocalStore)? = nil, at now: Date = Date.sample
    ) throws -> DataManager {
        DataManager(
            service: try makeService(over: transport, store: MemorySessionStore(Fixture.data(Fixture.session()))),
            store: store ?? self.store, now: { now })
    }

    @Test func `a write is stored with its key and body before the first try`() async throws {
        let stored = Mutex<[PendingWrite]>([])
        let transport = RecordingTransport { [store, owner, order = Fixture.order()] _ in
            let writes = await store.pendingWrites(of: owner)
            stored.withLock { $0 = writes }
            return .json(order, status: 201)
        }
        _ = try await manager(over: transport).buyNow(
            OrderDraft(lines: [.init(sku: "a", quantity: 1)]), paymentMethod: .card(token: "tok_ok"),
            expectedTotal: Fixture.euros(1), email: nil)
        let request = try #require(transport.requests.first)
        let write = try #require(stored.withLock { $0 }.first)
        #expect(write.key == request.headers["Idempotency-Key"] && write.body == request.body)
        #expect(write.firstSentAt == Date.sample)
        #expect(await store.pendingWrites(of: owner).isEmpty)
    }

    @Test func `a write that cannot be stored is not sent`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store.sqlite")
        let broken = try await SQLiteStore.open(at: file)
        try OtherDatabase.run(
            "CREATE TRIGGER full BEFORE INSERT ON pendingWrite BEGIN SELECT RAISE(ABORT, 'disk full'); END", at: file)
        let transport = RecordingTransport([.success(.json(Fixture.order(), status: 201))])
        let data = try manager(over: transport, store: broken)
        #expect(await thrownReason { try await data.cancelOrder(id: "ord_1") } == .localStore)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        (Result<NetworkResponse, NetworkError>.failure(.timedOut), true), (.failure(.connectionLost("")), true),
        (.failure(.unreachable("")), false), (.failure(.untrusted("")), false), (.failure(.noTLS("")), false),
        (.failure(.notSent("")), false), (.failure(.cancelled), true), (.failure(.tooManyRedirects), true),
        (.success(.problem(.internalError)), true), (.success(.text("<html>")), true),
        (.success(.text(#"{"id":1}"#, status: 201)), true), (.success(.problem(.idempotencyKeyInUse)), true),
        (.success(.json(Fixture.order())), false), (.success(.problem(.notCancellable)), false),
        (.success(.problem(.forbidden)), false),
    ])
    func `a write stays stored until its outcome is known`(
        _ answer: Result<NetworkResponse, NetworkError>, _ stays: Bool
    ) async throws {
        let transport = RecordingTransport([answer])
        _ = try? await manager(over: transport).cancelOrder(id: "ord_1")
        #expect(await store.pendingWrites(of: owner).isEmpty == !stays)
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [
        NetworkResponse.problem(.forbidden), .problem(.tooManyAttempts),
        NetworkResponse(status: 404, data: Data("<html>".utf8)),
    ])
    func `a refusal without a look at the write leaves an earlier try open`(_ refusal: NetworkResponse) async throws {
        let transport = RecordingTransport([.failure(.timedOut), .success(refusal), .success(.json(Fixture.order()))])
        let data = try manager(over: transport)
        for _ in 0..<2 { await #expect(throws: DataError.self) { try await data.cancelOrder(id: "ord_1") } }
        _ = try await data.cancelOrder(id: "ord_1")
        #expect(Set(transport.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
    }

    @Test func `another try of a write has the same key, and another write has another`() async throws {
        let terms = DiscountTerms(code: "SPRING", kind: .freeShipping)
        let calls: [@Sendable (DataManager) async throws -> Void] = [
            { _ = try await $0.addAddress(.sample()) },
            { _ = try await $0.cancelOrder(id: "ord_1") }, { _ = try await $0.cancelOrder(id: "ord_2") },
            { _ = try await $0.requestRide(RideWaypoints.sample(), option: "wallaby", quoteId: nil) },
            { _ = try await $0.cancelRide(id: "rid_1") }, { _ = try await $0.cancelRide(id: "rid_2") },
            { _ = try await $0.admin.fulfil(id: "ord_1") }, { _ = try await $0.admin.deliver(id: "ord_1") },
            { _ = try await $0.admin.refund(orderId: "ord_1", RefundDraft(.rest, reason: "late")) },
            { _ = try await $0.admin.addDiscount(terms) },
            {
                _ = try await $0.admin.schedulePrice(
                    sku: "a", Fixture.euros(1), from: Date.sample, until: Date.sample.addingTimeInterval(60))
            },
        ]
        let transport = RecordingTransport([])
        let data = try manager(over: transport)
        for call in calls {
            for _ in 0..<2 { await #expect(throws: DataError.self) { try await call(data) } }
        }
        let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 2 * calls.count && Set(keys).count == calls.count)
    }

    @Test func `the same call after the key has expired is a new write`() async throws {
        let transport = RecordingTransport([])
        for hours in [0.0, 22, 24] {
            let data = try manager(over: transport, at: Date.sample.addingTimeInterval(hours * 3600))
            await #expect(throws: DataError.self) { try await data.cancelOrder(id: "ord_1") }
        }
        let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
        #expect(keys[0] == keys[1] && keys[1] != keys[2])
    }

    @Test(arguments: [(-2.0, false), (0, true), (22.9, true), (23.1, false)])
    func `a write is sent again within 23 hours, and not after the clock was set back`(
        _ hours: TimeInterval, _ isSent: Bool
    ) async throws {
        try await #require(throws: DataError.self) {
            try await manager(over: RecordingTransport([])).checkout(
                Fixture.cart(), paymentMethod: .card(token: "tok_ok"), expectedTotal: Fixture.euros(1), email: nil)
        }
        let transport = RecordingTransport([.success(.json(Fixture.order(), status: 201))])
        let data = try manager(over: transport, at: Date.sample.addingTimeInterval(hours * 3600))
        let purchase = try #require(try await data.unresolvedPurchases(of: owner).first)
        #expect(purchase.canResume == isSent)
        do { _ = try await data.resume(purchase) } catch { #expect(error.reason == .outcomeUnknown) }
        #expect(transport.requests.count == (isSent ? 1 : 0))
        #expect(await store.pendingWrites(of: owner).isEmpty)
    }

    @Test func `a write of one owner is not sent after another owner has signed in`() async throws {
        let transport = RecordingTransport { request throws(NetworkError) in
            guard request.url.path() == "/v1/sessions" else { throw .timedOut }
            return .json(Fixture.session("access-9", refresh: "refresh-9", id: "ses_9", account: "acc_9"), status: 201)
        }
        let data = try manager(over: transport)
        let first = try await data.markSent(try data.prepare(.add(sku: "a", quantity: 1), of: owner), isStored: false)
        let pending = try await data.markSent(first, isStored: true)
        _ = try await data.signIn(email: "bea@example.org", password: "12345678")
        #expect(await thrownReason { try await data.send(pending) } == .sessionEnded)
        #expect(transport.requests.map { $0.url.path() } == ["/v1/sessions"])
        #expect(await store.pendingWrites(of: owner).count == 1)
    }

    @Test func `an account has a guest's additions before its session is saved, where a crash may follow`() async throws
    {
        let (guest, saving) = (Shopper.guest, Gate())
        let sessions = GatedSessionStore(Fixture.data(guest.session), saving: saving)
        let data = DataManager(
            service: try makeService(over: TestShop(sellsAnySKU: true), store: sessions), store: store,
            now: { Date.sample })
        let addition = try data.prepare(.add(sku: "a", quantity: 1), of: guest.owner)
        try await data.store(addition)
        let signIn = Task { try await data.signIn(email: "ada@example.org", password: "12345678") }
        await saving.held(1)
        #expect(await store.pendingWrites(of: Shopper.ada.owner).map(\.key) == [addition.id])
        saving.open()
        _ = try await signIn.value
        #expect(await store.pendingWrites(of: guest.owner).isEmpty)
        // It is no longer sent for the guest.
        #expect(await thrownReason { try await data.markSent(addition, isStored: true) } == .outcomeUnknown)
    }
}

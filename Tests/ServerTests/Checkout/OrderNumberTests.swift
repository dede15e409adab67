import PouchDomain
import PouchEntities
import PouchHTTP
import PouchStorage
import Synchronization
import Testing

@Suite("Numbers of orders")
struct OrderNumberTests {
    /// Commits, and once does not hear of it.
    private final class ForgetfulStore: Store {
        typealias Transaction = ShopDatabase.Transaction

        private let store: ShopDatabase
        private let forgets = Mutex(false)

        init(_ store: ShopDatabase) {
            self.store = store
        }

        func forgetNext() {
            forgets.withLock { $0 = true }
        }

        func read<Value: Sendable>(
            _ body: @escaping @Sendable (Transaction) throws -> Value
        ) async throws -> Value {
            try await store.read(body)
        }

        func write<Value: Sendable>(
            _ isolation: Isolation, _ body: @escaping @Sendable (Transaction) throws -> Value
        ) async throws -> Value {
            let value = try await store.write(isolation, body)
            let isForgotten = forgets.withLock { forgets in
                defer { forgets = false }
                return forgets
            }
            if isForgotten { throw CommitUnknownError() }
            return value
        }
    }

    @Test func `A number that an order may have is not drawn again`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .success(.captured))
            let (shop, store) = (desk.shop.environment, ForgetfulStore(desk.shop.store))
            let environment = DomainEnvironment(
                store: store, time: shop.time, random: shop.random, digests: shop.digests, shop: shop.shop)
            let checkout = CheckoutService(
                environment, carts: desk.shop.services.carts, payments: desk.provider, encode: StoredAnswer.init(outcome:))
            let first = try await desk.buy("cap", total: 1490, key: "1", with: checkout)
            store.forgetNext()
            await #expect(throws: CommitUnknownError.self) {
                try await desk.buy("cap", total: 1490, key: "2", with: checkout)
            }
            let third = try await desk.buy("cap", total: 1490, key: "3", with: checkout)
            #expect(third.status == .paid && third.number != first.number)
            #expect(try await desk.stock("cap") == [8, 1])
        }
    }

    @Test func `A purchase that is refused leaves no gap`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .success(.captured))
            let checkout = desk.checkout
            let first = try await desk.buy("cap", total: 1490, key: "1", with: checkout)
            await #expect(throws: DomainError.self) {
                try await desk.buy("cap", total: 1, key: "2", with: checkout)
            }
            let third = try await desk.buy("cap", total: 1490, key: "3", with: checkout)
            let numbers = [first, third].compactMap { Int($0.number.dropFirst(2)) }
            #expect(numbers.count == 2 && numbers[1] == numbers[0] + 1)
        }
    }

    @Test func `Order numbers have no gaps where nothing failed, and none is given twice`() async throws {
        try await TestShop.open([.stocked("cap", stock: 50)]) { shop in
            let guest = try await shop.guest()
            let numbers = try await parallel(20) { _ in try await guest.buyNow().good().number }
            #expect(Set(numbers) == Set((10_001...10_020).map { "P-\($0)" }))
        }
    }
}

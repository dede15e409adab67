import PouchContract
import PouchDomain
import PouchEntities
import ServerTesting
import Testing

@testable import PouchImport

@Suite("Ids", .timeLimit(.minutes(10)), .inShop([]))
struct IdentifierTests {
    private let shop = TestShop.current

    @Test func `Ids of one millisecond sort in the order in which they were made, in any number`() async throws {
        let made = (0..<70_000).map { _ in shop.environment.ids.make(.product) }
        #expect(Set(made).count == made.count)
        #expect(made == made.sorted())
        shop.clock.advance(by: 0.001)
        let later = shop.environment.ids.make(.product)
        #expect(made.allSatisfy { $0 < later && $0.count == later.count })
    }

    @Test func `Servers that make ids in the same millisecond make different ones`() async throws {
        let ids = Set((0..<100).map { _ in shop.environment.ids.make(.product) })
        try await shop.another { other in
            #expect(ids.isDisjoint(with: (0..<100).map { _ in other.environment.ids.make(.product) }))
        }
    }

    @Test func `The products of one import are listed in the order of their feed, the last one first`() async throws {
        let names = (0..<40).map { "item-\($0 * 7 % 40)" }
        try await shop.stock(names.map { .stocked($0) })
        shop.clock.advance(by: 1)
        let page = try await shop.anyone.call(Contract.products, query: "limit=100").good()
        #expect(page.items.map(\.handle) == names.reversed())
    }
}

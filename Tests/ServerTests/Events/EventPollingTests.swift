import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Polling events", .timeLimit(.minutes(5)), .inShop())
struct EventPollingTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let order: Order

    /// The last events are those of an order that is paid and fulfilled.
    init() async throws {
        admin = try await shop.admin()
        order = try await shop.customer().order()
        try await admin.fulfil(order.id).good()
        _ = try await shop.events()
    }

    private func poll(_ query: String = "") async throws -> EventPage {
        try await admin.call(Contract.shopEvents, query: query).good()
    }

    @Test func `A caller that follows the ids gets each event once and in order`() async throws {
        let all = try await poll()
        #expect(all.items.map(\.type).suffix(2) == [.orderPaid, .orderFulfilled] && !all.hasMore)
        var (seen, after): ([ShopEvent], String?) = ([], nil)
        while true {
            let page = try await poll("limit=1" + (after.map { "&after=\($0)" } ?? ""))
            seen += page.items
            after = page.items.last?.id ?? after
            if !page.hasMore { break }
        }
        #expect(seen == all.items)
        let last = try #require(after)
        #expect(try await poll("after=\(last)").items.isEmpty)
        try await admin.deliver(order.id).good()
        _ = try await shop.events()
        let next = try await poll("after=\(last)").items
        #expect(next.map(\.type) == [.orderDelivered] && next.first?.data.order?.status == .delivered)
    }

    @Test func `The latest events are listed first, page by page`() async throws {
        let all = try await poll().items
        let first = try await poll("order=latestFirst&limit=1")
        #expect(first.items.map(\.type) == [.orderFulfilled] && first.hasMore)
        let next = try await poll("order=latestFirst&limit=1&after=\(first.items[0].id)")
        #expect(next.items.map(\.type) == [.orderPaid])
        let whole = try await poll("order=latestFirst")
        #expect(whole.items == Array(all.reversed()) && !whole.hasMore)
        let typed = try await poll("order=latestFirst&type=order.paid&after=\(first.items[0].id)")
        #expect(typed.items.map(\.objectId) == [order.id])
        #expect(try await poll("order=latestFirst&after=\(all[0].id)").items.isEmpty)
        try await admin.call(Contract.shopEvents, query: "order=sideways").problem(.invalidQuery)
    }

    @Test func `Events of one type are selected`() async throws {
        #expect(try await poll("type=order.paid").items.map(\.objectId) == [order.id])
        try await admin.call(Contract.shopEvents, query: "type=order.eaten").problem(.invalidQuery)
    }

    @Test func `Event ids sort in the order of the events, and an id of another shop is unknown`() async throws {
        for number in 0..<40 { try await shop.append("object \(number)") }
        let ids = try await shop.events().map(\.id)
        #expect(ids == ids.sorted() && Set(ids).count == ids.count && ids.count >= 40)
        let last = try #require(ids.last)
        _ = try await poll("after=\(last)")
        // The position is the same, the rest is not.
        let other = last.dropLast(2) + (last.hasSuffix("00") ? "40" : "00")
        try await admin.call(Contract.shopEvents, query: "after=\(other)").problem(.unknownEvent)
    }

    @Test(arguments: ["evt_nothing", "x", "%27%3B--", String(repeating: "e", count: 4_000)])
    func `A request after an event that is not kept is refused`(id: String) async throws {
        try await admin.call(Contract.shopEvents, query: "after=\(id)").problem(.unknownEvent)
    }
}

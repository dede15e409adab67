import Foundation
import PouchContract
import PouchEntities
import PouchWire
import Testing

@testable import PouchDomain

@Suite("Polling events", .timeLimit(.minutes(5)))
struct EventPollingTests {
    @Test func `A caller that follows the ids gets each event once and in order`() async throws {
        try await TestShop.open { shop in
            let (customer, admin) = (try await shop.customer(), try await shop.admin())
            let first = try await customer.order()
            try await admin.fulfil(first.id).good()
            _ = try await shop.events()
            let all = try await admin.call(Contract.shopEvents).good()
            #expect(all.items.map(\.type).suffix(2) == [.orderPaid, .orderFulfilled] && !all.hasMore)
            var (seen, after): ([ShopEvent], String?) = ([], nil)
            while true {
                let page = try await admin.call(
                    Contract.shopEvents, query: "limit=1" + (after.map { "&after=\($0)" } ?? "")
                ).good()
                seen += page.items
                after = page.items.last?.id ?? after
                if !page.hasMore { break }
            }
            #expect(seen == all.items)
            let last = try #require(after)
            #expect(try await admin.call(Contract.shopEvents, query: "after=\(last)").good().items.isEmpty)
            try await admin.deliver(first.id).good()
            _ = try await shop.events()
            let next = try await admin.call(Contract.shopEvents, query: "after=\(last)").good().items
            #expect(next.map(\.type) == [.orderDelivered] && next.first?.data.order?.status == .delivered)
        }
    }

    @Test func `The latest events are listed first, page by page`() async throws {
        try await TestShop.open { shop in
            let (customer, admin) = (try await shop.customer(), try await shop.admin())
            let order = try await customer.order()
            try await admin.fulfil(order.id).good()
            _ = try await shop.events()
            let all = try await admin.call(Contract.shopEvents).good().items
            let latest = "order=latestFirst&limit=1"
            let first = try await admin.call(Contract.shopEvents, query: latest).good()
            #expect(first.items.map(\.type) == [.orderFulfilled] && first.hasMore)
            let next = try await admin.call(Contract.shopEvents, query: latest + "&after=\(first.items[0].id)").good()
            #expect(next.items.map(\.type) == [.orderPaid])
            let whole = try await admin.call(Contract.shopEvents, query: "order=latestFirst").good()
            #expect(whole.items == Array(all.reversed()) && !whole.hasMore)
            let typed = try await admin.call(
                Contract.shopEvents, query: "order=latestFirst&type=order.paid&after=\(first.items[0].id)"
            ).good()
            #expect(typed.items.map(\.objectId) == [order.id])
            #expect(
                try await admin.call(Contract.shopEvents, query: "order=latestFirst&after=\(all[0].id)").good().items
                    .isEmpty)
            try await admin.call(Contract.shopEvents, query: "order=sideways").problem(.invalidQuery)
        }
    }

    @Test func `Events of one type are selected`() async throws {
        try await TestShop.open { shop in
            let (customer, admin) = (try await shop.customer(), try await shop.admin())
            let order = try await customer.order()
            try await admin.fulfil(order.id).good()
            _ = try await shop.events()
            let found = try await admin.call(Contract.shopEvents, query: "type=order.paid").good().items
            #expect(found.map(\.objectId) == [order.id])
            try await admin.call(Contract.shopEvents, query: "type=order.eaten").problem(.invalidQuery)
        }
    }

    @Test func `The ids sort in the order of the events, and one of another shop is unknown`() async throws {
        try await TestShop.open([]) { shop in
            for number in 0..<40 { try await shop.append("object \(number)") }
            let ids = try await shop.events().map(\.id)
            #expect(ids == ids.sorted() && Set(ids).count == 40)
            let (admin, last) = (try await shop.admin(), try #require(ids.last))
            try await admin.call(Contract.shopEvents, query: "after=\(last)").good()
            // The position is the same, the rest is not.
            let other = last.dropLast(2) + (last.hasSuffix("00") ? "40" : "00")
            try await admin.call(Contract.shopEvents, query: "after=\(other)").problem(.unknownEvent)
        }
    }

    @Test(arguments: ["evt_nothing", "x", "%27%3B--", String(repeating: "e", count: 4_000)])
    func `An event that is not kept is refused by name`(id: String) async throws {
        try await TestShop.open([]) { shop in
            try await shop.admin().call(Contract.shopEvents, query: "after=\(id)").problem(.unknownEvent)
        }
    }
}

import ServerTesting
import Testing

@testable import PouchDomain

@Suite(
    "Administration of orders", .timeLimit(.minutes(5)), .inShop(configure: { $0.settlementInterval = .seconds(600) }))
struct OrderAdministrationTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller

    init() async throws { (admin, guest) = (try await shop.admin(), try await shop.guest()) }

    @Test(arguments: ["ord_unknown", "P-99999", "99999"])
    func `An unknown order is found by no call`(id: String) async throws {
        let path = ["id": id]
        for caller in [guest, admin] { try await caller.call(Contract.order, path: path).problem(.notFound) }
        try await guest.cancel(id).problem(.notFound)
        try await admin.call(Contract.managedOrder, path: path).problem(.notFound)
        try await admin.call(Contract.cancelManagedOrder, path: path).problem(.notFound)
        try await admin.fulfil(id).problem(.notFound)
        try await admin.deliver(id).problem(.notFound)
        try await admin.refund(id, amount: 1).problem(.notFound)
        try await admin.note("x", on: id).problem(.notFound)
        try await admin.track(id, .set(Tracking(carrier: "DHL", number: "1"))).problem(.notFound)
    }

    @Test(arguments: [true, false])
    func `A change by the staff or the buyer with an outdated order version is refused`(isSent: Bool) async throws {
        let order = try await guest.order()
        let etag = try #require(try await guest.call(Contract.order, path: ["id": order.id]).etag)
        func change(_ tag: String) async throws -> Answered<Order> {
            guard !isSent else { return try await admin.fulfil(order.id, headers: .ifMatch(tag)) }
            return try await guest.call(Contract.cancelOrder, path: ["id": order.id], headers: .ifMatch(tag))
        }
        for outdated in ["\"1\"", "\"77\""] {
            try await change(outdated).problem(.versionConflict)
            for tracking in [FieldChange<Tracking>.set(Tracking(carrier: "DHL", number: "1")), .clear, .keep] {
                try await admin.track(order.id, tracking, headers: .ifMatch(outdated)).problem(.versionConflict)
            }
        }
        let changed = try await change(etag)
        #expect(try changed.good().status == (isSent ? .fulfilled : .cancelled) && changed.etag != etag)
        try await admin.deliver(order.id, headers: .ifMatch(etag)).problem(.versionConflict)
    }

    @Test func `Of concurrent fulfilments one succeeds, and a delivery with a used key is replayed`() async throws {
        let order = try await guest.order()
        let statuses = try await parallel(10) { _ in try await admin.fulfil(order.id).status }
        #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 9))
        let first = try await admin.deliver(order.id, headers: .key("deliver"))
        try first.good()
        let again = try await admin.deliver(order.id, headers: .key("deliver"))
        #expect(again.body == first.body && again.replayed == "true")
    }

    @Test func `An order fulfilled and cancelled concurrently ends in one of both`() async throws {
        let orders = try await parallel(8) { _ in try await guest.buyNow().good() }
        for order in orders {
            async let sent = admin.fulfil(order.id).status
            async let cancelled = guest.cancel(order.id).status
            #expect(try await [sent, cancelled].sorted() == [200, 409])
            let ended = try await guest.order(id: order.id)
            #expect(ended.status == .fulfilled || ended.payment.status == .refunded)
        }
    }

    @Test func `The orders of all buyers are listed latest first, by status and in pages`() async throws {
        var placed: [String] = []
        for number in 0..<5 {
            let buyer = number % 2 == 0 ? try await shop.guest() : try await shop.customer("c\(number)@example.com")
            placed.append(try await buyer.buyNow().good().id)
        }
        try await admin.fulfil(placed[1]).good()
        try await admin.fulfil(placed[4]).good()
        let all = try await admin.pages(Contract.allOrders, limit: 2)
        #expect(all.map { $0.map(\.id) } == [[placed[4], placed[3]], [placed[2], placed[1]], [placed[0]]])
        let paid = try await admin.pages(Contract.allOrders, limit: 2, query: "status=paid")
        #expect(paid.joined().map(\.id) == [placed[3], placed[2], placed[0]])
        let sent = try await admin.call(Contract.allOrders, query: "status=fulfilled").good()
        #expect(sent.items.map(\.id) == [placed[4], placed[1]])
        #expect(try await admin.call(Contract.allOrders, query: "status=delivered").good().items == [])
    }

    // MARK: The view of an order

    @Test func `An order is shown with its customer, its refunds and what is left of each line`() async throws {
        let customer = try await shop.customer()
        try await customer.fillCart("cap", 3)
        try await customer.add("scarf-s").good()
        let order = try await customer.checkout(email: nil).good()
        let refund = try await admin.refund(order.id, lines: [.cap]).good()
        let answer = try await admin.call(Contract.managedOrder, path: ["id": order.number])
        let shown = try answer.good()
        #expect(shown.order == (try await customer.order(id: order.id)))
        #expect(shown.customer?.email == "ada@example.com" && shown.refunds == [refund])
        let left = Refundable(
            amount: Money(5990 - 1000, .eur),
            lines: [
                .init(sku: "cap", quantity: 2, amount: Money(2000, .eur)),
                .init(sku: "scarf-s", quantity: 1, amount: Money(2500, .eur)),
            ])
        #expect(shown.refundable == left && shown.holdExpiresAt == nil && shown.notes == [])
        #expect(answer.etag == (try await customer.call(Contract.order, path: ["id": order.id]).etag))
    }

    @Test func `A line's refundable amount never exceeds the charge's`() async throws {
        let order = try await guest.order()
        try await admin.refund(order.id, amount: 1400).good()
        let left = Refundable(amount: Money(90, .eur), lines: [.init(sku: "cap", quantity: 1, amount: Money(90, .eur))])
        #expect(try await admin.managed(order.id).refundable == left)
        try await admin.refund(order.id).good()
        #expect(try await admin.managed(order.id).refundable == Refundable(amount: Money(0, .eur), lines: []))
    }

    @Test func `A pending order shows until when it holds its units, and nothing to refund`() async throws {
        let pending = try await guest.buyNow(card: "tok_lost").good()
        #expect(pending.status == .pending)
        let shown = try await admin.managed(pending.number)
        #expect(shown.holdExpiresAt == pending.createdAt.addingTimeInterval(600))
        #expect(shown.refundable == Refundable(amount: Money(0, .eur), lines: []) && shown.customer == nil)
    }

    @Test func `Buyers and staff name an order by its number, in any case, with or without the prefix`() async throws {
        let (first, second) = (try await guest.order(), try await guest.order())
        let digits = String(first.number.dropFirst(2))
        for name in [first.number, first.number.lowercased(), digits] {
            #expect(try await guest.order(id: name).id == first.id)
        }
        #expect(try await admin.managed(digits).order.id == first.id)
        try await guest.cancel(second.number).good()
        try await admin.fulfil(first.number).good()
        #expect(try await admin.deliver(first.number).good().id == first.id)
        try await admin.refund(first.number, amount: 100).good()
        #expect(try await guest.order(id: first.id).payment.refunded == Money(100, .eur))
    }

    @Test func `The staff cancels an order: charge and stock go back, and a repetition does nothing`() async throws {
        let order = try await guest.order("cap", 4)
        #expect(try await shop.available("cap") == 6)
        let path = ["id": order.number]
        let cancelled = try await admin.call(Contract.cancelManagedOrder, path: path, headers: .key("cancel"))
        #expect(try cancelled.good().status == .cancelled)
        let again = try await admin.call(Contract.cancelManagedOrder, path: path, headers: .key("cancel"))
        #expect(again.body == cancelled.body && again.replayed == "true")
        try await admin.call(Contract.cancelManagedOrder, path: path).problem(.notCancellable)
        #expect(try await guest.order(id: order.id).payment.status == .refunded)
        #expect(try await shop.available("cap") == 10)
        let sent = try await guest.order()
        try await admin.fulfil(sent.id).good()
        try await admin.call(Contract.cancelManagedOrder, path: ["id": sent.id]).problem(.notCancellable)
        try await guest.call(Contract.cancelManagedOrder, path: ["id": sent.id]).problem(.forbidden)
    }

    @Test func `Notes are seen by the staff only, and end with the data of the buyer`() async throws {
        let customer = try await shop.customer()
        let order = try await customer.order()
        let note = try await admin.note("Gift: no invoice, please", on: order.number).good()
        #expect(note.author == "Grace")
        try await admin.note("   ", on: order.id).problem(.validationFailed)
        try await admin.note(String(repeating: "a", count: 2_001), on: order.id).problem(.validationFailed)
        #expect(try await admin.managed(order.id).notes == [note])
        #expect(try await !customer.call(Contract.order, path: ["id": order.id]).text.contains("Gift"))
        try await customer.deleteAccount().good()
        // The order is still to be sent.
        let kept = try await admin.managed(order.id)
        #expect(kept.notes == [note] && kept.customer == nil && kept.order.email == "guest@example.com")
        try await shop.store.write { try $0.orders.anonymise(id: order.id) }
        let after = try await admin.managed(order.id)
        #expect(after.notes == [] && after.customer == nil && after.order.email == nil)
    }
}

extension Address {
    static func inBerlin(_ name: String) -> Address {
        Address(name: name, line1: "Main Street 1", city: "Berlin", postalCode: "10115", country: "DE")
    }
}

extension Caller {
    func managed(_ reference: String) async throws -> ManagedOrder {
        try await call(Contract.managedOrder, path: ["id": reference]).good()
    }

    func note(_ text: String, on reference: String) async throws -> Answered<OrderNote> {
        try await call(Contract.addOrderNote, OrderNoteRequest(text: text), path: ["id": reference])
    }
}

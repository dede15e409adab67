import Foundation
import PouchContract
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain

@Suite(
    "Administration of orders", .timeLimit(.minutes(5)), .inShop(configure: { $0.settlementInterval = .seconds(600) }))
struct OrderAdministrationTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller

    init() async throws { (admin, guest) = (try await shop.admin(), try await shop.guest()) }

    @Test func `An order is fulfilled and delivered, and the buyer sees both`() async throws {
        let order = try await guest.order()
        try await admin.deliver(order.id).problem(.notDeliverable)
        #expect(try await admin.fulfil(order.id).good().status == .fulfilled)
        try await admin.fulfil(order.id).problem(.notFulfillable)
        try await guest.cancel(order.id).problem(.notCancellable)
        #expect(try await admin.deliver(order.id).good().status == .delivered)
        try await admin.deliver(order.id).problem(.notDeliverable)
        let history = try await guest.order(id: order.id).history
        #expect(history.map(\.status) == [.pending, .paid, .fulfilled, .delivered])
    }

    @Test func `A cancelled or unknown order cannot be fulfilled`() async throws {
        let order = try await guest.order()
        try await guest.cancel(order.id).good()
        try await admin.fulfil(order.id).problem(.notFulfillable)
        try await admin.fulfil("ord_nothing").problem(.notFound)
        try await admin.deliver("ord_nothing").problem(.notFound)
    }

    @Test func `A change with an outdated order version is refused`() async throws {
        let order = try await guest.order()
        let etag = try #require(try await guest.call(Contract.order, path: ["id": order.id]).etag)
        try await admin.fulfil(order.id, headers: .ifMatch("\"77\"")).problem(.versionConflict)
        let sent = try await admin.fulfil(order.id, headers: .ifMatch(etag))
        try sent.good()
        #expect(sent.etag != etag)
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
            shop.clock.advance(by: 1)
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
        try await customer.add("cap", 3).good()
        try await customer.add("scarf-s").good()
        try await customer.ship().good()
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

    @Test func `A line is never more refundable than the charge is`() async throws {
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
        try await guest.call(Contract.order, path: ["id": "99999"]).problem(.notFound)
        try await guest.cancel(second.number).good()
        try await admin.fulfil(first.number).good()
        #expect(try await admin.deliver(first.number).good().id == first.id)
        try await admin.refund(first.number, amount: 100).good()
        #expect(try await guest.order(id: first.id).payment.refunded == Money(100, .eur))
        for caller in [guest, admin] {
            try await caller.call(Contract.order, path: ["id": "P-99999"]).problem(.notFound)
        }
        try await admin.call(Contract.managedOrder, path: ["id": "P-99999"]).problem(.notFound)
        try await admin.refund("P-99999", amount: 1).problem(.notFound)
    }

    /// Numbers can be guessed, so they must give no more access than ids.
    @Test func `The number of an order gives another customer no access to it`() async throws {
        let eve = try await shop.customer()
        let order = try await guest.order()
        try await eve.call(Contract.order, path: ["id": order.number]).problem(.notFound)
        try await eve.cancel(order.number).problem(.notFound)
        let change = DeliveryRequest(methodId: "express")
        try await eve.call(Contract.changeDelivery, change, path: ["id": order.number]).problem(.notFound)
        try await eve.call(Contract.managedOrder, path: ["id": order.number]).problem(.forbidden)
        #expect(try await guest.order(id: order.id) == order)
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
        try await admin.call(Contract.cancelManagedOrder, path: ["id": "ord_none"]).problem(.notFound)
        try await guest.call(Contract.cancelManagedOrder, path: ["id": sent.id]).problem(.forbidden)
    }

    @Test func `Notes are seen by the staff only, and end with the data of the buyer`() async throws {
        let customer = try await shop.customer()
        let order = try await customer.order()
        let note = try await admin.note("Gift: no invoice, please", on: order.number).good()
        #expect(note.author == "Grace")
        try await admin.note("   ", on: order.id).problem(.validationFailed)
        try await admin.note(String(repeating: "a", count: 2_001), on: order.id).problem(.validationFailed)
        try await admin.note("x", on: "ord_none").problem(.notFound)
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

@Suite("Tracking numbers and packing slips", .timeLimit(.minutes(5)), .inShop())
struct TrackingTests {
    private let parcel = Tracking(carrier: "DHL", number: "00340434161094015902", url: "https://example.com/p/1")
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller
    private let order: Order

    init() async throws {
        (admin, guest) = (try await shop.admin(), try await shop.guest())
        order = try await guest.order()
    }

    @Test func `A tracking number is given with the fulfilment, and the buyer and the event have it`() async throws {
        #expect(order.tracking == nil)
        let spaced = Tracking(carrier: " DHL ", number: "\t00340434161094015902", url: parcel.url)
        #expect(try await admin.fulfil(order.id, tracking: spaced).good().tracking == parcel)
        #expect(try await guest.order(id: order.id).tracking == parcel)
        let told = try await shop.events(of: order.id).last?.shopEvent
        #expect(told?.type == .orderFulfilled && told?.data.order?.tracking == parcel)
        #expect(try await admin.deliver(order.id).good().tracking == parcel)
    }

    @Test(arguments: ["", "{}", #"{"tracking":null}"#])
    func `A fulfilment without a tracking number needs no body`(body: String) async throws {
        let answer = try await admin.send("POST", "/v1/admin/orders/\(order.id)/fulfil", body.isEmpty ? nil : body)
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test func `A tracking number is corrected and removed, each with an event; a repetition has none`() async throws {
        let early = Tracking(carrier: "Post", number: "1")
        #expect(try await admin.track(order.id, .set(early)).good().tracking == early)
        try await admin.fulfil(order.id).good()
        let changed = try await admin.track(order.number, .set(parcel))
        #expect(try changed.good().tracking == parcel)
        let repeated = try await admin.track(order.id, .set(parcel))
        #expect(try repeated.good().tracking == parcel && repeated.etag == changed.etag)
        #expect(try await admin.track(order.id, .keep).good().tracking == parcel)
        #expect(try await admin.track(order.id, .clear).good().tracking == nil)
        let types = try await shop.events(of: order.id).map(\.type)
        let change = EventType.orderDeliveryChanged
        #expect(types == [.orderPaid, change, .orderFulfilled, change, change])
    }

    @Test func `The buyer of an order on its way gets one mail about each new tracking number`() async throws {
        try await TestShop.openWithMail { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            let order = try await guest.order()
            func numbers() async throws -> [String?] {
                let last = try #require(try await shop.events(of: order.id).last?.position)
                try await eventually { try await shop.store.read { try $0.events.places()["mail"] } ?? 0 >= last }
                return try await shop.mails(.orderTrackingChanged).map(\.content.order?.tracking?.number)
            }
            // Before the order is sent; the mail about the sending has the number.
            try await admin.track(order.id, .set(Tracking(carrier: "DHL", number: "1"))).good()
            try await admin.fulfil(order.id).good()
            #expect(try await numbers() == [])
            try await admin.track(order.id, .set(parcel)).good()
            #expect(try await numbers() == [parcel.number])
            let subject = "Subject: Your order \(order.number) has a new tracking number"
            try await eventually {
                try shop.writtenMails().values.contains { $0.contains(subject) && $0.contains(parcel.number) }
            }
            // A repetition, a removal, and a change of an order that has arrived.
            try await admin.track(order.id, .set(parcel)).good()
            try await admin.track(order.id, .clear).good()
            #expect(try await numbers() == [parcel.number])
            try await admin.track(order.id, .set(Tracking(carrier: "DHL", number: "2"))).good()
            #expect(try await numbers().count == 2)
            try await admin.deliver(order.id).good()
            try await admin.track(order.id, .set(Tracking(carrier: "DHL", number: "3"))).good()
            #expect(try await numbers().count == 2)
        }
    }

    @Test func `A number corrected before its mail is queued, and events taken twice, send no mail`() async throws {
        // The shop has no sender of mails, so all changes are made before the mails are queued.
        try await admin.fulfil(order.id).good()
        try await admin.track(order.id, .set(Tracking(carrier: "DHL", number: "1"))).good()
        try await admin.track(order.id, .set(parcel)).good()
        let events = try await shop.events(of: order.id)
        let mails = EventMails(shop.environment)
        for _ in 1...2 { try await shop.store.write { try mails.queue(for: events, in: $0) } }
        #expect(try await shop.mails(.orderTrackingChanged).map(\.content.order?.tracking) == [parcel])
    }

    @Test func `A change with an outdated version is refused`() async throws {
        for change in [FieldChange<Tracking>.set(parcel), .clear, .keep] {
            try await admin.track(order.id, change, headers: .ifMatch("\"77\"")).problem(.versionConflict)
        }
    }

    @Test func `An order that is not sent gets no tracking number`() async throws {
        try await guest.cancel(order.id).good()
        try await admin.track(order.id, .set(parcel)).problem(.notFulfillable)
        try await admin.track("ord_none", .set(parcel)).problem(.notFound)
    }

    @Test(
        arguments: [
            ("", "1", nil, "carrier"), ("DHL", " ", nil, "number"), ("DHL\u{1b}[31m", "1", nil, "carrier"),
            ("DHL", String(repeating: "1", count: 101), nil, "number"), ("DHL", "1", "http://example.com", "url"),
            ("DHL", "1", "javascript:alert(1)", "url"), ("DHL", "1", "https://", "url"),
            ("DHL", "1", "https://dhl.com@example.com/", "url"),
            ("DHL", "1", "https://example.com/" + String(repeating: "a", count: 2_000), "url"),
        ] as [(String, String, String?, String)])
    func `Invalid tracking is refused with its field, and the order is not sent`(
        carrier: String, number: String, url: String?, field: String
    ) async throws {
        let tracking = Tracking(carrier: carrier, number: number, url: url)
        #expect(try await admin.fulfil(order.id, tracking: tracking).invalidFields() == ["tracking." + field])
        try await admin.track(order.id, .set(tracking)).problem(.validationFailed)
        #expect(try await guest.order(id: order.id) == order)
    }

    @Test func `A packing slip has the address and the units that are left, no prices, and short lines`() async throws {
        try await guest.add("cap", 3).good()
        try await guest.add("scarf-s").good()
        let name = "Ada \u{1b}[2J" + String(repeating: "Lovelace ", count: 15)
        try await guest.ship(to: .inBerlin(name)).good()
        let order = try await guest.checkout().good()
        try await admin.refund(order.id, lines: [.cap, LineRequest(sku: "scarf-s", quantity: 1)]).good()
        let answer = try await admin.send("GET", "/v1/admin/orders/\(order.number)/packing-slip")
        #expect(answer.status == 200 && answer.header("Content-Type") == "text/plain; charset=utf-8")
        let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 78 }, "\(answer.text)")
        #expect(lines.first?.hasSuffix("Order \(order.number)") == true)
        for text in ["    10115 Berlin", "    Germany", "[ ]    2  Cap", "SKU cap", "2 units"] {
            #expect(answer.text.contains(text), "\(text) in \(answer.text)")
        }
        #expect(!answer.text.contains("\u{1b}") && !answer.text.contains("scarf") && !answer.text.contains("10.00"))
    }
}

extension Caller {
    func track(
        _ reference: String, _ change: FieldChange<Tracking>, headers: [String: String] = [:]
    ) async throws -> Answered<Order> {
        try await call(Contract.updateOrder, OrderPatch(tracking: change), path: ["id": reference], headers: headers)
    }

    func fulfil(_ id: String, tracking: Tracking) async throws -> Answered<Order> {
        try await call(Contract.fulfilOrder, FulfilRequest(tracking: tracking), path: ["id": id])
    }
}

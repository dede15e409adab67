import ServerTesting
import Testing

@testable import PouchDomain

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

    @Test(.inSendingShop()) func `A buyer gets one mail about each new tracking number of a sent order`() async throws {
        func numbers() async throws -> [String?] {
            try await shop.waitForEvents(takenBy: "mail")
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

    @Test func `A number corrected before its mail is queued and events taken twice send one mail`() async throws {
        // The shop has no sender of mails, so all changes are made before the mails are queued.
        try await admin.fulfil(order.id).good()
        try await admin.track(order.id, .set(Tracking(carrier: "DHL", number: "1"))).good()
        try await admin.track(order.id, .set(parcel)).good()
        let events = try await shop.events(of: order.id)
        let mails = EventMails(shop.environment)
        for _ in 1...2 { try await shop.store.write { try mails.queue(for: events, in: $0) } }
        #expect(try await shop.mails(.orderTrackingChanged).map(\.content.order?.tracking) == [parcel])
    }

    @Test func `An order that is not sent gets no tracking number`() async throws {
        try await guest.cancel(order.id).good()
        try await admin.track(order.id, .set(parcel)).problem(.notFulfillable)
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

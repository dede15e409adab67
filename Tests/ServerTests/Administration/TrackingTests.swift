import Foundation
import PouchContract
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain

@Suite("Tracking numbers and packing slips", .timeLimit(.minutes(5)))
struct TrackingTests {
    private let parcel = Tracking(carrier: "DHL", number: "00340434161094015902", url: "https://example.com/p/1")

    private func track(
        _ admin: Caller, _ reference: String, _ change: FieldChange<Tracking>, headers: [String: String] = [:]
    ) async throws -> Answered<Order> {
        try await admin.call(
            Contract.updateOrder, OrderPatch(tracking: change), path: ["id": reference], headers: headers)
    }

    @Test func `A tracking number is given with the fulfilment, and the buyer and the event have it`() async throws {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            let order = try await guest.order()
            #expect(order.tracking == nil)
            let spaced = Tracking(carrier: " DHL ", number: "\t00340434161094015902", url: parcel.url)
            let sent = try await admin.call(
                Contract.fulfilOrder, FulfilRequest(tracking: spaced), path: ["id": order.id])
            #expect(try sent.good().tracking == parcel)
            #expect(try await guest.order(id: order.id).tracking == parcel)
            let told = try await shop.events(of: order.id).last?.shopEvent
            #expect(told?.type == .orderFulfilled && told?.data.order?.tracking == parcel)
            #expect(try await admin.deliver(order.id).good().tracking == parcel)
        }
    }

    @Test(arguments: ["", "{}", #"{"tracking":null}"#])
    func `A fulfilment without a tracking number needs no body`(body: String) async throws {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            let order = try await guest.order()
            let answer = try await admin.send("POST", "/v1/admin/orders/\(order.id)/fulfil", body.isEmpty ? nil : body)
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test func `A tracking number is corrected and removed, each with an event, and a repetition has none`()
        async throws
    {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            let order = try await guest.order()
            let early = Tracking(carrier: "Post", number: "1")
            #expect(try await track(admin, order.id, .set(early)).good().tracking == early)
            try await admin.fulfil(order.id).good()
            let changed = try await track(admin, order.number, .set(parcel))
            #expect(try changed.good().tracking == parcel)
            let repeated = try await track(admin, order.id, .set(parcel))
            #expect(try repeated.good().tracking == parcel && repeated.etag == changed.etag)
            #expect(try await track(admin, order.id, .keep).good().tracking == parcel)
            #expect(try await track(admin, order.id, .clear).good().tracking == nil)
            let types = try await shop.events(of: order.id).map(\.type)
            #expect(
                types == [
                    .orderPaid, .orderDeliveryChanged, .orderFulfilled, .orderDeliveryChanged, .orderDeliveryChanged,
                ])
        }
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
            try await track(admin, order.id, .set(Tracking(carrier: "DHL", number: "1"))).good()
            try await admin.fulfil(order.id).good()
            #expect(try await numbers() == [])
            try await track(admin, order.id, .set(parcel)).good()
            #expect(try await numbers() == [parcel.number])
            try await eventually {
                try shop.writtenMails().values.contains {
                    $0.contains("Subject: Your order \(order.number) has a new tracking number")
                        && $0.contains(parcel.number)
                }
            }
            // A repetition, a removal, and a change of an order that has arrived.
            try await track(admin, order.id, .set(parcel)).good()
            try await track(admin, order.id, .clear).good()
            #expect(try await numbers() == [parcel.number])
            try await track(admin, order.id, .set(Tracking(carrier: "DHL", number: "2"))).good()
            #expect(try await numbers().count == 2)
            try await admin.deliver(order.id).good()
            try await track(admin, order.id, .set(Tracking(carrier: "DHL", number: "3"))).good()
            #expect(try await numbers().count == 2)
        }
    }

    @Test func `A number that was corrected again before its mail is queued, and events taken twice, send no mail`()
        async throws
    {
        // Without a sender of mails, so that all changes are made before the mails are queued.
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            let order = try await guest.order()
            try await admin.fulfil(order.id).good()
            try await track(admin, order.id, .set(Tracking(carrier: "DHL", number: "1"))).good()
            try await track(admin, order.id, .set(parcel)).good()
            let events = try await shop.events(of: order.id)
            let mails = EventMails(shop.environment)
            for _ in 1...2 { try await shop.store.write { try mails.queue(for: events, in: $0) } }
            let queued = try await shop.mails(.orderTrackingChanged)
            #expect(queued.map(\.content.order?.tracking) == [parcel])
        }
    }

    @Test func `A change with an outdated version is refused`() async throws {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            let order = try await guest.order()
            for change in [FieldChange<Tracking>.set(parcel), .clear, .keep] {
                try await track(admin, order.id, change, headers: [HeaderName.ifMatch: "\"77\""]).problem(
                    .versionConflict)
            }
        }
    }

    @Test func `An order that is not sent gets no tracking number`() async throws {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            let order = try await guest.order()
            try await guest.cancel(order.id).good()
            try await track(admin, order.id, .set(parcel)).problem(.notFulfillable)
            try await track(admin, "ord_none", .set(parcel)).problem(.notFound)
        }
    }

    @Test(arguments: [
        (Tracking(carrier: "", number: "1"), "tracking.carrier"),
        (Tracking(carrier: "DHL", number: " "), "tracking.number"),
        (Tracking(carrier: "DHL", number: String(repeating: "1", count: 101)), "tracking.number"),
        (Tracking(carrier: "DHL\u{1b}[31m", number: "1"), "tracking.carrier"),
        (Tracking(carrier: "DHL", number: "1", url: "http://example.com"), "tracking.url"),
        (Tracking(carrier: "DHL", number: "1", url: "javascript:alert(1)"), "tracking.url"),
        (Tracking(carrier: "DHL", number: "1", url: "https://"), "tracking.url"),
        (Tracking(carrier: "DHL", number: "1", url: "https://dhl.com@example.com/"), "tracking.url"),
        (
            Tracking(carrier: "DHL", number: "1", url: "https://example.com/" + String(repeating: "a", count: 2_000)),
            "tracking.url"
        ),
    ])
    func `Invalid tracking is refused with its field, and the order is not sent`(
        tracking: Tracking, field: String
    ) async throws {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            let order = try await guest.order()
            let refused = try await admin.call(
                Contract.fulfilOrder, FulfilRequest(tracking: tracking), path: ["id": order.id]
            ).problem(.validationFailed)
            #expect(refused.problem.errors?.map(\.field) == [field])
            try await track(admin, order.id, .set(tracking)).problem(.validationFailed)
            #expect(try await guest.order(id: order.id) == order)
        }
    }

    @Test func `A packing slip has the address and the units that are left, no prices, and lines that fit`()
        async throws
    {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            try await guest.add("cap", 3).good()
            try await guest.add("scarf-s").good()
            let name = "Ada \u{1b}[2J" + String(repeating: "Lovelace ", count: 15)
            try await guest.ship(
                to: Address(name: name, line1: "Main Street 1", city: "Berlin", postalCode: "10115", country: "DE")
            ).good()
            let order = try await guest.checkout().good()
            try await admin.refund(
                order.id, lines: [LineRequest(sku: "cap", quantity: 1), LineRequest(sku: "scarf-s", quantity: 1)]
            ).good()
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
}

import ServerTesting
import Testing

@testable import PouchMail

@Suite("Sending queued mails", .inShop(), .timeLimit(.minutes(5)))
struct MailSenderTests {
    private let shop = TestShop.current
    private let transport = RecordingTransport()
    private let sender: MailSender

    init() throws {
        sender = try shop.sender(transport)
    }

    private func nextDue() async throws -> Date? {
        try await shop.store.read { [sender] in try sender.nextDue(in: $0) }
    }

    private func state(_ id: String) async throws -> (state: String, failure: String?, attempts: Int) {
        let row = try #require(
            try await shop.rows(
                """
                SELECT CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN failed_at IS NOT NULL THEN 'failed'
                    ELSE 'waiting' END, failure, attempts FROM mails WHERE id = ?
                """, [.text(id)]
            ).first)
        return (try row.text(0), try row.optional(1, SQLRow.text), try row.int(2))
    }

    @Test func `All due mails are sent once, in one series`() async throws {
        var ids: [String] = []
        for _ in 0..<25 { ids.append(try await shop.queue()) }
        try await sender.run()
        try await sender.run()
        #expect(transport.taken.map(\.id).sorted() == ids.sorted() && transport.finished == 2)
        #expect(try await state(ids[0]).state == "sent")
        #expect(try await nextDue() == nil)
    }

    @Test func `Many servers send each mail once`() async throws {
        for _ in 0..<40 { try await shop.queue() }
        _ = try await parallel(5) { [shop, transport] _ in try await shop.sender(transport).run() }
        #expect(transport.taken.count == 40 && Set(transport.taken.map(\.id)).count == 40)
    }

    @Test func `A refused mail is given up at once, and the next is sent`() async throws {
        let first = try await shop.queue()
        // The ids of one moment have no order.
        shop.clock.advance(by: 1)
        let second = try await shop.queue()
        transport.fail(.refused("recipient: 550 5.1.1"))
        try await sender.run()
        shop.clock.advance(by: 24 * 3600)
        try await sender.run()
        #expect(transport.tried == 2)
        #expect(try await state(first) == ("failed", "recipient: 550 5.1.1", 1))
        #expect(try await state(second) == ("sent", nil, 1))
    }

    @Test func `A deferred mail is tried again after growing pauses for two days, and then given up`() async throws {
        let id = try await shop.queue(.orderPaid)
        let start = shop.clock.now
        var pauses: [TimeInterval] = []
        while try await state(id).state == "waiting" {
            transport.fail(.deferred("recipient: 450 4.2.0"))
            try await sender.run()
            guard let due = try await nextDue() else { break }
            let pause = due.timeIntervalSince(shop.clock.now)
            #expect(pause > 0)
            pauses.append(pause)
            shop.clock.advance(by: pause)
        }
        #expect(shop.clock.now.timeIntervalSince(start) >= MailQueue.sendingPeriod)
        #expect((45...75).contains(pauses[0]) && (135...225).contains(pauses[1]), "\(pauses)")
        #expect(pauses.allSatisfy { $0 <= 5 * 3600 } && (12...30).contains(pauses.count), "\(pauses)")
        #expect(try await state(id).failure == "it is too old")
        #expect(transport.taken.isEmpty)
    }

    @Test func `While the mail server is away one mail is tried after each pause, and none is lost`() async throws {
        for _ in 0..<30 { try await shop.queue() }
        for round in 1...4 {
            transport.fail(.unavailable("the mail server cannot be reached"))
            try await sender.run()
            try await sender.run()
            #expect(transport.tried == round)
            let pause = try #require(try await nextDue()).timeIntervalSince(shop.clock.now)
            #expect(pause > 0)
            shop.clock.advance(by: pause)
        }
        // The mails of the last series wait a moment longer.
        shop.clock.advance(by: 120)
        try await sender.run()
        #expect(Set(transport.taken.map(\.id)).count == 30 && transport.taken.count == 30)
    }

    @Test func `A mail whose server died before it was marked as sent is sent again, byte for byte`() async throws {
        let now = shop.clock.now
        let link = SignedLink(.passwordReset, id: "rst_1", expiresAt: now + 3_600)
        let id = try await shop.queue(.passwordReset, MailContent(name: "Ada", link: link))
        // The first server takes the mail, and dies.
        let leased = try await shop.store.write(.readCommitted) {
            try $0.mails.lease(at: now, until: now + MailSender.lease)
        }
        let first = try shop.mailWriter().message(try #require(leased).mail)
        try await sender.run()
        #expect(transport.taken.isEmpty)
        shop.clock.advance(by: MailSender.lease)
        try await sender.run()
        #expect(transport.taken.map { $0.bytes() } == [first.bytes()])
        #expect(try await state(id).attempts == 2)
    }

    @Test func `A server that dies holds the one mail it was sending, for a little longer than a try`() async throws {
        for _ in 0..<5 { try await shop.queue() }
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        let stuck = RecordingTransport {
            begin.yield()
            for await _ in ended {}
        }
        let dying = Task { try await shop.sender(stuck).run() }
        for await _ in begun { break }
        try await sender.run()
        #expect(transport.taken.count == 4)
        let pause = try #require(try await nextDue()).timeIntervalSince(shop.clock.now)
        #expect(pause > MailSender.tryLimit / .seconds(1) && pause <= 7 * 60, "\(pause)")
        shop.clock.advance(by: pause)
        try await sender.run()
        #expect(Set(transport.taken.map(\.id)).count == 5 && transport.taken.count == 5)
        // The first one can no longer change the mail.
        end.finish()
        try await dying.value
        #expect(try await shop.rows("SELECT 1 FROM mails WHERE sent_at IS NOT NULL AND due_at IS NULL").count == 5)
    }

    @Test func `A link that has expired is not sent any more`() async throws {
        let link = SignedLink(.passwordReset, id: "rst_1", expiresAt: shop.clock.now + 1_800)
        let id = try await shop.queue(.passwordReset, MailContent(link: link))
        shop.clock.advance(by: 1_801)
        try await sender.run()
        #expect(transport.tried == 0)
        #expect(try await state(id).state == "failed")
    }

    @Test(arguments: ["a b@example.com", "ada@example.com>", "ada\u{2028}@example.com", "ann,b@example.com"])
    func `A mail to an unusable address is given up unsent, and counted for the staff`(address: String) async throws {
        let id = try await shop.queue(to: address)
        try await sender.run()
        #expect(transport.tried == 0)
        #expect(try await state(id).state == "failed")
        let since = shop.clock.now - 1
        #expect(try await shop.store.read { try $0.mails.failed(since: since, limit: 9) } == 1)
        let unsent = try await shop.store.read { try $0.mails.unsent(since: since, after: nil, limit: 9) }
        #expect(unsent.map(\.recipient) == [address] && unsent.first?.failure == "invalid recipient address")
    }

    @Test func `A stopped server releases its other mails, so that another can send them at once`() async throws {
        for _ in 0..<5 { try await shop.queue() }
        let stopped = try shop.sender(RecordingTransport { withUnsafeCurrentTask { $0?.cancel() } })
        let task = Task { try await stopped.run() }
        await #expect(throws: (any Error).self) { try await task.value }
        try await sender.run()
        #expect(transport.taken.count == 4)
    }
}

import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The queue of mails", .inShop(), .timeLimit(.minutes(5)))
struct MailQueueTests {
    private let shop = TestShop.current

    /// Leases all due mails for a minute.
    private func lease() async throws -> [LeasedMail] {
        let now = shop.clock.now
        var leased: [LeasedMail] = []
        while let mail = try await shop.store.write(.readCommitted, { try $0.mails.lease(at: now, until: now + 60) }) {
            leased.append(mail)
        }
        return leased
    }

    @Test func `A queued mail is read back unchanged, and only after its transaction is committed`() async throws {
        struct Undone: Error {}
        let now = shop.clock.now
        let content = MailContent(
            refund: Refund(
                id: "ref_1", amount: Money(5, .eur), createdAt: now, lines: [.init(sku: "cap", quantity: 1)]),
            name: "Ada",
            link: SignedLink(.passwordReset, id: "rst_1", expiresAt: Date(timeIntervalSince1970: 1_767_225_600.123)),
            invitation: .init(role: "manager", invitedBy: nil), passwordChange: .init(at: now, isReset: true),
            signIn: .init(at: now, address: "192.0.2.1", agent: "curl"),
            webhook: .init(id: "whk_1", url: "https://a.example.com", failure: "status 500", failingSince: now))
        await #expect(throws: Undone.self) {
            try await shop.store.write { [environment = shop.environment] repositories in
                try environment.mails.queue(
                    .newSignIn, to: MailRecipient("a@b.example", of: nil, ownerId: nil), content, in: repositories)
                throw Undone()
            }
        }
        let id = try await shop.queue(.newSignIn, to: "a@b.example", ownerId: "acc_1", content, eventId: "evt_1")
        let queued = QueuedMail(
            id: id, kind: .newSignIn, recipient: "a@b.example", ownerId: "acc_1", content: content,
            eventId: "evt_1", createdAt: now)
        #expect(try await lease() == [LeasedMail(mail: queued, attempt: 1)])
    }

    @Test func `After a lease the mail is due again, and its first server changes nothing any more`() async throws {
        try await shop.queue()
        let first = try #require(try await lease().first)
        shop.clock.advance(by: 59)
        #expect(try await lease().isEmpty)
        shop.clock.advance(by: 1)
        let second = try #require(try await lease().first)
        #expect(second.attempt == 2)
        let now = shop.clock.now
        try await shop.store.write { repositories in
            #expect(try !repositories.mails.markSent(first, at: now))
            #expect(try !repositories.mails.postpone(first, until: now, failure: "450"))
            #expect(try !repositories.mails.markFailed(first, at: now, failure: "550"))
            #expect(try repositories.mails.markSent(second, at: now))
            #expect(try !repositories.mails.markSent(second, at: now))
            let (due, waiting) = (try repositories.mails.nextDue(), try repositories.mails.waiting())
            #expect(due == nil && waiting.count == 0 && waiting.oldest == nil)
        }
    }

    @Test func `One event sends one mail of a kind to an address`() async throws {
        for _ in 0..<2 { try await shop.queue(.orderPaid, eventId: "evt_1") }
        try await shop.queue(.orderSent, eventId: "evt_1")
        try await shop.queue(.orderPaid, to: "b@example.com", eventId: "evt_1")
        for _ in 0..<2 { try await shop.queue(.passwordReset) }
        #expect(try await shop.queuedKinds().count == 5)
    }

    @Test func `A kind of a later release waits for a server that can write it`() async throws {
        let id = try await shop.queue()
        _ = try await shop.rows("UPDATE mails SET kind = 'birthday' WHERE id = ? RETURNING id", [.text(id)])
        #expect(try await lease().isEmpty)
        #expect(try await shop.store.read { try $0.mails.nextDue() } == nil)
    }

    @Test func `Mails move to the account of a guest who signs up, and are deleted with the account`() async throws {
        let guest = try await shop.guest()
        try await shop.queue(ownerId: guest.session?.id)
        // The ids of one moment have no order.
        shop.clock.advance(by: 1)
        try await shop.queue(ownerId: "another")
        shop.clock.advance(by: 1)
        let ada = shop.caller(try await guest.call(Contract.signUp, .sample()).good())
        let accountId = try #require(ada.session?.profile?.id)
        #expect(
            try await shop.rows("SELECT owner_id FROM mails ORDER BY id").map { try $0.text(0) }
                == [accountId, "another", accountId], "the last one asks to verify the address")
        try await ada.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).good()
        #expect(try await shop.rows("SELECT owner_id FROM mails").map { try $0.text(0) } == ["another"])
    }

    @Test func `Mails that were sent or given up are purged after 30 days, and waiting ones are not`() async throws {
        for _ in 0..<3 { try await shop.queue() }
        let leased = try await lease()
        let now = shop.clock.now
        try await shop.store.write { repositories in
            try repositories.mails.markSent(leased[0], at: now)
            try repositories.mails.markFailed(leased[1], at: now, failure: "550")
        }
        shop.clock.advance(by: MailQueue.retention - 1)
        // The shop purges by itself all the time.
        try await shop.queue(.orderPaid)
        #expect(try await shop.queuedKinds().count == 4)
        shop.clock.advance(by: 2)
        try await eventually { try await shop.queuedKinds() == ["emailVerification", "orderPaid"] }
    }

    @Test func `The mail of a refund has its units and the sum of refunds up to it, without later ones`() async throws {
        // Without a sender of mails, so that all refunds are made before the mails are queued.
        let (buyer, admin) = (try await shop.guest(), try await shop.admin())
        let order = try await buyer.order("cap", 3)
        try await admin.refund(order.id, amount: 200).good()
        try await admin.refund(order.id, lines: [LineRequest(sku: "cap", quantity: 2)]).good()
        try await admin.refund(order.id).good()
        try await shop.queueMails(about: order)
        // The ids of one moment have no order.
        let contents = try await shop.mails(.orderRefunded).map(\.content).sorted {
            $0.order?.payment.refunded.amount ?? 0 < $1.order?.payment.refunded.amount ?? 0
        }
        #expect(contents.map(\.refund?.amount.amount) == [200, 2000, 1290])
        #expect(contents.map(\.order?.payment.refunded.amount) == [200, 2200, 3490])
        #expect(contents.map(\.refund?.lines?.first?.quantity) == [nil, 2, 1])
    }

    @Test func `Without mail nothing is queued, and old events send no mail once it is switched on`() async throws {
        let order = try await shop.guest().buyNow().good()
        try await shop.waitForEvents(takenBy: "mail")
        #expect(try await shop.queuedKinds().isEmpty)
        shop.clock.advance(by: MailQueue.sendingPeriod)
        try await shop.queueMails(about: order)
        #expect(try await shop.queuedKinds().isEmpty)
    }
}

@Suite("Mails about orders", .inMailShop, .timeLimit(.minutes(5)))
struct OrderMailTests {
    private let shop = TestShop.current

    @Test func `A buyer gets one mail for each step, and one for each refund with its amount`() async throws {
        let admin = try await shop.admin()
        let order = try await shop.guest().buyNow().good()
        try await admin.fulfil(order.id).good()
        try await admin.deliver(order.id).good()
        try await admin.refund(order.id, amount: 200).good()
        try await admin.refund(order.id, amount: 300).good()
        try await eventually { try shop.writtenMails().count == 5 }
        let subjects = try shop.writtenMails().values.compactMap { mail in
            mail.components(separatedBy: "\r\n").first { $0.hasPrefix("Subject: ") }
        }
        // With the sign of the euro these are encoded.
        #expect(subjects.count { $0.hasPrefix("Subject: =?utf-8?B?") } == 2)
        for told in ["Thank you for your order %", "Your order % is on its way", "Your order % has arrived"] {
            #expect(subjects.count { $0 == "Subject: " + told.replacing("%", with: order.number) } == 1, "\(told)")
        }
        let refunds = try shop.writtenMails().values.filter { $0.contains("for your order") }
        for amount in ["=E2=82=AC2.00", "=E2=82=AC3.00"] {
            #expect(refunds.filter { $0.contains("refunded " + amount) }.count == 1)
        }
    }

    @Test func `An order with an open payment sends its first mail; a failed payment sends none`() async throws {
        let buyer = try await shop.guest()
        try await buyer.buyNow(card: "tok_declined").problem(.paymentDeclined)
        #expect(try await buyer.buyNow(card: "tok_lost").good().status == .pending)
        try await eventually { try await shop.queuedKinds() == ["orderReceived"] }
        shop.clock.advance(by: 20)
        try await eventually { try await shop.queuedKinds() == ["orderReceived", "orderPaid"] }
    }

    @Test func `A cancelled order sends one mail about the cancellation and one about the refund`() async throws {
        let buyer = try await shop.guest()
        let order = try await buyer.buyNow().good()
        try await buyer.cancel(order.id).good()
        let kinds = ["orderCancelled", "orderPaid", "orderRefunded"]
        try await eventually { try await shop.queuedKinds().sorted() == kinds }
        try await shop.queueMails(about: order)
        #expect(try await shop.queuedKinds().sorted() == kinds, "events that are taken again queue no second mail")
    }
}

extension TestShop {
    /// Queues the mails about an order, as the job of a shop with mail does.
    fileprivate func queueMails(about order: Order) async throws {
        let (mails, records) = (EventMails(environment), try await events(of: order.id))
        #expect(!records.isEmpty)
        try await store.write { try mails.queue(for: records, in: $0) }
    }
}

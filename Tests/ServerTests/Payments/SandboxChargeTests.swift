import PouchSandbox
import ServerTesting
import Testing

@Suite("The sandbox", .timeLimit(.minutes(5)), .withSandbox)
struct SandboxChargeTests {
    private let caller = RunningSandbox.current.anyone

    @Test(arguments: ["tok_ok", "tok_slow", "tok_declined"])
    func `Fifty equal concurrent requests book one charge and get one answer`(token: String) async throws {
        let answers = try await parallel(50) { _ in try await caller.charge("k", token: token) }
        #expect(Set(answers.map(\.status)) == [201])
        #expect(Set(answers.map(\.body)).count == 1)
        #expect(answers.filter { $0.header(HeaderName.idempotentReplayed) == nil }.count == 1)
        #expect(try await caller.charges().items.map(\.key) == ["k"])
    }

    @Test func `Each card behaves as documented`() async throws {
        let good: SandboxCharge = try await caller.charge("good").sandbox()
        #expect(good.status == .captured && good.captured == 1_000 && good.refunded == 0)
        #expect(good.amount == 1_000 && good.currency == .eur && good.createdAt != nil)
        for (token, code) in [
            ("tok_declined", "card_declined"), ("tok_insufficient_funds", "insufficient_funds"), ("", "unknown_card"),
        ] {
            let declined: SandboxCharge = try await caller.charge("no" + token, token: token).sandbox()
            #expect(declined.status == .declined && declined.declineCode == code && declined.captured == 0)
        }
        try await caller.charge("error", token: "tok_error").sandboxProblem(500, .nothingBooked)
        try await caller.send("GET", "/v1/charges/error").sandboxProblem(404, .notFound)
        await #expect(throws: (any Error).self) { try await caller.charge("lost", token: "tok_lost") }
        #expect(try await caller.charge(booked: "lost").status == .captured)
        let repeated: SandboxCharge = try await caller.charge("lost", token: "tok_lost").sandbox()
        #expect(repeated.status == .captured)
    }

    @Test func `A key belongs to one request; any difference is refused`() async throws {
        let first: SandboxCharge = try await caller.charge("k").sandbox()
        for other in [
            try await caller.charge("k", 999), try await caller.charge("k", currency: "USD"),
            try await caller.charge("k", token: "tok_declined"), try await caller.charge("k", token: "tok_slow"),
            try await caller.charge("k", capture: false),
        ] { try other.sandboxProblem(409, .idempotencyKeyReused) }
        let again: SandboxCharge = try await caller.charge("k", capture: true).sandbox()
        #expect(again == first)
        #expect(try await caller.charges().items == [first])
    }

    @Test func `An authorized amount is captured once, or voided`() async throws {
        for key in ["taken", "left"] {
            let charge: SandboxCharge = try await caller.charge(key, capture: false).sandbox()
            #expect(charge.status == .authorized && charge.captured == 0)
        }
        try await caller.refund("r", "taken", 1).sandboxProblem(409, .refundExceedsCapture)
        for _ in 1...2 {
            let charge: SandboxCharge = try await caller.send("POST", "/v1/charges/taken/capture").sandbox(200)
            #expect(charge.status == .captured && charge.captured == 1_000)
        }
        let left: SandboxCharge = try await caller.send("POST", "/v1/charges/left/void").sandbox(200)
        #expect(left.status == .voided && left.captured == 0)
        try await caller.send("POST", "/v1/charges/left/capture").sandboxProblem(409, .notCapturable)
        try await caller.send("POST", "/v1/charges/missing/capture").sandboxProblem(404, .notFound)
    }

    @Test func `A voided key is never charged, and a charge is not voided`() async throws {
        let voided: SandboxCharge = try await caller.send("POST", "/v1/charges/k/void").sandbox(200)
        #expect(voided.status == .voided && voided.amount == 0 && voided.currency == nil)
        for token in ["tok_ok", "tok_slow", "tok_lost", "tok_error"] {
            let late: SandboxCharge = try await caller.charge("k", token: token).sandbox()
            #expect(late == voided)
        }
        _ = try await caller.charge("paid").sandbox(201, SandboxCharge.self)
        let paid: SandboxCharge = try await caller.send("POST", "/v1/charges/paid/void").sandbox(200)
        #expect(paid.status == .captured && paid.captured == 1_000)
    }

    @Test func `A concurrent charge and void agree on the outcome`() async throws {
        let seen = try await parallel(60) { index in
            let answer =
                index.isMultiple(of: 2)
                ? try await caller.charge("k\(index / 2)")
                : try await caller.send("POST", "/v1/charges/k\(index / 2)/void")
            return try SandboxCharge(json: answer.body)
        }
        for pair in 0..<30 {
            #expect(seen[pair * 2] == seen[pair * 2 + 1])
            #expect(try await caller.charge(booked: "k\(pair)") == seen[pair * 2])
        }
    }

    @Test func `Invalid requests are refused with their codes and book nothing`() async throws {
        let key = [HeaderName.idempotencyKey: "k"]
        let good = #""currency":"EUR","token":"tok_ok""#
        for (body, status, code) in [
            (#"{"amount":0,\#(good)}"#, 422, SandboxProblemCode.validationFailed),
            (#"{"amount":-5,\#(good)}"#, 422, .validationFailed),
            (#"{"amount":1.5,\#(good)}"#, 422, .validationFailed),
            (#"{"amount":"5",\#(good)}"#, 422, .validationFailed),
            (#"{\#(good)}"#, 422, .validationFailed),
            (#"{"amount":5,"currency":"XXX","token":"tok_ok"}"#, 422, .validationFailed),
            (#"{"amount":5,"tip":1,\#(good)}"#, 422, .unknownField),
            (#"{"amount":5"#, 400, .invalidJSON),
            (String(repeating: " ", count: 70_000), 413, .bodyTooLarge),
        ] { try await caller.send("POST", "/v1/charges", body, headers: key).sandboxProblem(status, code) }
        try await caller.send("POST", "/v1/charges", #"{"amount":5,\#(good)}"#)
            .sandboxProblem(400, .idempotencyKeyRequired)
        try await caller.charge(String(repeating: "k", count: 256)).sandboxProblem(400, .invalidRequest)
        try await caller.send("POST", "/v1/charges/%20/void").sandboxProblem(400, .invalidRequest)
        try await caller.send("GET", "/v1/charges?limit=0").sandboxProblem(400, .invalidRequest)
        try await caller.send("GET", "/v1/charges?status=captured").sandboxProblem(400, .invalidRequest)
        try await caller.send("GET", "/nowhere").sandboxProblem(404, .notFound)
        #expect(try await caller.charges().items == [])
    }

    @Test func `The list returns every charge once, page by page`() async throws {
        _ = try await parallel(7) { try await caller.charge("k\($0)") }
        var keys: [String] = []
        var cursor = ""
        repeat {
            let page = try await caller.charges("?limit=3" + cursor)
            #expect(page.items.count <= 3)
            keys += page.items.map(\.key)
            cursor = page.nextCursor.map { "&cursor=" + $0 } ?? ""
        } while !cursor.isEmpty
        #expect(keys == (0..<7).map { "k\($0)" })
        #expect(try await caller.charges("?limit=7").nextCursor == nil)
    }

    // MARK: Refunds

    @Test func `Concurrent refunds never exceed the captured amount`() async throws {
        _ = try await caller.charge("k", 1_000).sandbox(201, SandboxCharge.self)
        let answers = try await parallel(20) { try await caller.refund("r\($0)", "k", 300) }
        #expect(answers.filter { $0.status == 201 }.count == 3)
        for answer in answers where answer.status != 201 { try answer.sandboxProblem(409, .refundExceedsCapture) }
        #expect(try await caller.charge(booked: "k").refunded == 900)
        #expect(try await caller.refunds().items.map(\.amount) == [300, 300, 300])
        try await caller.refund("rest", "k", 101).sandboxProblem(409, .refundExceedsCapture)
        try await caller.refund("huge", "k", .max).sandboxProblem(409, .refundExceedsCapture)
        let rest: SandboxRefund = try await caller.refund("rest", "k", 100).sandbox()
        #expect(rest.charge == "k" && rest.amount == 100 && rest.currency == .eur)
    }

    @Test func `A key refunds once and belongs to one request`() async throws {
        for key in ["k", "other"] { _ = try await caller.charge(key).sandbox(201, SandboxCharge.self) }
        let answers = try await parallel(30) { _ in try await caller.refund("r", "k", 400) }
        #expect(Set(answers.map(\.status)) == [201] && Set(answers.map(\.body)).count == 1)
        #expect(answers.filter { $0.header(HeaderName.idempotentReplayed) == nil }.count == 1)
        #expect(try await caller.charge(booked: "k").refunded == 400)
        try await caller.refund("r", "k", 401).sandboxProblem(409, .idempotencyKeyReused)
        try await caller.refund("r", "other", 400).sandboxProblem(409, .idempotencyKeyReused)
        #expect(try await caller.charge(booked: "other").refunded == 0)
    }

    @Test func `Only captured charges can be refunded`() async throws {
        _ = try await caller.charge("no", token: "tok_declined").sandbox(201, SandboxCharge.self)
        _ = try await caller.send("POST", "/v1/charges/void/void").sandbox(200, SandboxCharge.self)
        _ = try await caller.charge("k").sandbox(201, SandboxCharge.self)
        try await caller.refund("r", "no", 1).sandboxProblem(409, .refundExceedsCapture)
        try await caller.refund("r", "void", 1).sandboxProblem(409, .refundExceedsCapture)
        try await caller.refund("r", "missing", 1).sandboxProblem(404, .notFound)
        try await caller.refund("r", "k", 0).sandboxProblem(422, .validationFailed)
        let dollar = #"{"charge":"k","amount":1,"currency":"USD"}"#
        try await caller.send("POST", "/v1/refunds", dollar, headers: .key("r")).sandboxProblem(422, .currencyMismatch)
        #expect(try await caller.refunds().items == [])
    }

    // MARK: Keys and ledgers

    @Test func `Requests that name another ledger are refused and book nothing`() async throws {
        let head: LedgerHead = try await caller.send("GET", "/v1/ledger").sandbox(200)
        #expect(head.id == RunningSandbox.current.ledger.id && head.id.hasPrefix("led_"))
        let right = [LedgerHead.headerName: head.id]
        _ = try await caller.charge("k", capture: false, headers: right).sandbox(201, SandboxCharge.self)
        let wrong = [LedgerHead.headerName: "led_0"]
        for answer in [
            try await caller.charge("new", headers: wrong),
            try await caller.refund("r", "k", 1, headers: wrong),
            try await caller.send("POST", "/v1/charges/k/capture", headers: wrong),
            try await caller.send("POST", "/v1/charges/k/void", headers: wrong),
            try await caller.send("POST", "/v1/charges/new/void", headers: wrong),
            try await caller.send("GET", "/v1/charges/k", headers: wrong),
        ] { try answer.sandboxProblem(409, .wrongLedger) }
        #expect(try await caller.charges().items.map(\.status) == [.authorized])
        #expect(try await caller.refunds().items == [])
    }

    @Test func `Requests need the key`() async throws {
        try await RunningSandbox.serve(configure: { $0.key = "secret" }) { sandbox in
            let caller = sandbox.anyone
            for value in [nil, "secret", "Bearer ", "Bearer secreT", "Bearer secret1", "bearer"] {
                let headers = value.map { [HeaderName.authorization: $0] } ?? [:]
                try await caller.charge("k", headers: headers).sandboxProblem(401, .unauthenticated)
                try await caller.send("GET", "/v1/charges", headers: headers).sandboxProblem(401, .unauthenticated)
            }
            let right = [HeaderName.authorization: "Bearer secret"]
            let page: Page<SandboxCharge> = try await caller.send("GET", "/v1/charges", headers: right).sandbox(200)
            #expect(page.items == [])
        }
    }

    @Test(.inFolder) func `Two services on one file share one ledger`() async throws {
        let file = TemporaryFolder.current.appending(path: "ledger.sqlite")
        try await RunningSandbox.serve(file) { first in
            try await RunningSandbox.serve(file) { second in
                #expect(first.ledger.id == second.ledger.id)
                let callers = [first.anyone, second.anyone]
                let answers = try await parallel(40) { try await callers[$0 % 2].charge("k\($0 / 4)") }
                #expect(Set(answers.map(\.status)) == [201])
                #expect(answers.filter { $0.header(HeaderName.idempotentReplayed) == nil }.count == 10)
                let refunds = try await parallel(20) { try await callers[$0 % 2].refund("r\($0)", "k0", 300) }
                #expect(refunds.filter { $0.status == 201 }.count == 3)
                #expect(try await callers[0].charges() == callers[1].charges())
            }
        }
    }

    @Test(.inFolder) func `A ledger file of the first version still works`() async throws {
        let file = TemporaryFolder.current.appending(path: "ledger.sqlite")
        try await DatabaseAddress(path: file.path).write {
            try $0.script(
                """
                CREATE TABLE ledger (singleton INTEGER PRIMARY KEY, id TEXT NOT NULL);
                CREATE TABLE charges (
                    key TEXT PRIMARY KEY,
                    status TEXT NOT NULL CHECK (status IN ('captured', 'declined', 'voided', 'refunded')),
                    decline_code TEXT,
                    amount BIGINT NOT NULL,
                    currency TEXT NOT NULL
                );
                INSERT INTO ledger VALUES (1, 'led_old');
                INSERT INTO charges VALUES ('a', 'captured', NULL, 1000, 'EUR'),
                    ('b', 'declined', 'card_declined', 500, 'EUR'), ('c', 'voided', NULL, 0, ''),
                    ('d', 'refunded', NULL, 700, 'JPY');
                """)
        }
        try await RunningSandbox.serve(file) { sandbox in
            let caller = sandbox.anyone
            #expect(sandbox.ledger.id == "led_old")
            let charges = try await caller.charges().items
            #expect(charges.map(\.status) == [.captured, .declined, .voided, .captured])
            #expect(charges.map(\.captured) == [1_000, 0, 0, 700])
            #expect(charges.map(\.refunded) == [0, 0, 0, 700])
            #expect(charges.map(\.currency?.code) == ["EUR", "EUR", nil, "JPY"])
            // The requests of that time, repeated.
            let charge: SandboxCharge = try await caller.charge("a", 1_000).sandbox()
            #expect(charge == charges[0])
            let refund: SandboxRefund = try await caller.refund("d", "d", 700).sandbox()
            #expect(refund.amount == 700)
            #expect(try await caller.charge(booked: "d").refunded == 700)
            _ = try await caller.refund("r", "a", 1_000).sandbox(201, SandboxRefund.self)
        }
        try await RunningSandbox.serve(file) { sandbox in
            let refunded = try await sandbox.anyone.charges().items.map(\.refunded)
            #expect(refunded == [1_000, 0, 0, 700])
        }
    }
}

import Foundation
import PouchEntities
import PouchJSON
import PouchSandbox
import PouchWire
import Testing

@Suite("Charges of the sandbox", .timeLimit(.minutes(5)))
struct SandboxChargeTests {
    @Test(arguments: ["tok_ok", "tok_slow", "tok_declined"])
    func `Fifty equal concurrent requests book one charge and get one answer`(token: String) async throws {
        try await RunningSandbox.serve { sandbox in
            let answers = try await parallel(50) { _ in try await sandbox.anyone.charge("k", token: token) }
            #expect(Set(answers.map(\.status)) == [201])
            #expect(Set(answers.map(\.body)).count == 1)
            #expect(answers.filter { $0.header(HeaderName.idempotentReplayed) == nil }.count == 1)
            #expect(try await sandbox.anyone.charges().items.map(\.key) == ["k"])
        }
    }

    @Test func `Each card behaves as documented`() async throws {
        try await RunningSandbox.serve { sandbox in
            let caller = sandbox.anyone
            let good: SandboxCharge = try await caller.charge("good").sandbox()
            #expect(good.status == .captured && good.captured == 1_000 && good.refunded == 0)
            #expect(good.amount == 1_000 && good.currency == .eur && good.createdAt != nil)
            for (token, code) in [
                ("tok_declined", "card_declined"), ("tok_insufficient_funds", "insufficient_funds"),
                ("", "unknown_card"),
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
    }

    @Test func `A key belongs to one request; any difference is refused`() async throws {
        try await RunningSandbox.serve { sandbox in
            let caller = sandbox.anyone
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
    }

    @Test func `An authorized amount is captured once, or voided`() async throws {
        try await RunningSandbox.serve { sandbox in
            let caller = sandbox.anyone
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
    }

    @Test func `A voided key is never charged, and a charge is not voided`() async throws {
        try await RunningSandbox.serve { sandbox in
            let caller = sandbox.anyone
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
    }

    @Test func `A concurrent charge and void agree on the outcome`() async throws {
        try await RunningSandbox.serve { sandbox in
            let caller = sandbox.anyone
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
    }

    @Test func `Invalid requests are refused with their codes and book nothing`() async throws {
        try await RunningSandbox.serve { sandbox in
            let caller = sandbox.anyone
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
    }

    @Test func `The list returns every charge once, page by page`() async throws {
        try await RunningSandbox.serve { sandbox in
            let caller = sandbox.anyone
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
    }
}

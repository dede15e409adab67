import Foundation
import PouchEntities
import PouchSandbox
import PouchWire
import Testing

@Suite("Refunds of the sandbox", .timeLimit(.minutes(1)))
struct SandboxRefundTests {
    @Test func `Refunds at once never give back more than was captured`() async throws {
        try await RunningSandbox.serve { sandbox in
            let caller = sandbox.anyone
            _ = try await caller.charge("k", 1_000).sandbox(201, SandboxCharge.self)
            let answers = try await parallel(20) { try await caller.refund("r\($0)", "k", 300) }
            #expect(answers.filter { $0.status == 201 }.count == 3)
            for answer in answers where answer.status != 201 {
                try answer.sandboxProblem(409, .refundExceedsCapture)
            }
            #expect(try await caller.charge(booked: "k").refunded == 900)
            #expect(try await caller.refunds().items.map(\.amount) == [300, 300, 300])
            try await caller.refund("rest", "k", 101).sandboxProblem(409, .refundExceedsCapture)
            try await caller.refund("huge", "k", .max).sandboxProblem(409, .refundExceedsCapture)
            let rest: SandboxRefund = try await caller.refund("rest", "k", 100).sandbox()
            #expect(rest.charge == "k" && rest.amount == 100 && rest.currency == .eur)
        }
    }

    @Test func `One key refunds once, and for one request`() async throws {
        try await RunningSandbox.serve { sandbox in
            let caller = sandbox.anyone
            for key in ["k", "other"] { _ = try await caller.charge(key).sandbox(201, SandboxCharge.self) }
            let answers = try await parallel(30) { _ in try await caller.refund("r", "k", 400) }
            #expect(Set(answers.map(\.status)) == [201] && Set(answers.map(\.body)).count == 1)
            #expect(answers.filter { $0.header(HeaderName.idempotentReplayed) == nil }.count == 1)
            #expect(try await caller.charge(booked: "k").refunded == 400)
            try await caller.refund("r", "k", 401).sandboxProblem(409, .idempotencyKeyReused)
            try await caller.refund("r", "other", 400).sandboxProblem(409, .idempotencyKeyReused)
            #expect(try await caller.charge(booked: "other").refunded == 0)
        }
    }

    @Test func `What was not captured, or is not there, cannot be refunded`() async throws {
        try await RunningSandbox.serve { sandbox in
            let caller = sandbox.anyone
            _ = try await caller.charge("no", token: "tok_declined").sandbox(201, SandboxCharge.self)
            _ = try await caller.send("POST", "/v1/charges/void/void").sandbox(200, SandboxCharge.self)
            _ = try await caller.charge("k").sandbox(201, SandboxCharge.self)
            try await caller.refund("r", "no", 1).sandboxProblem(409, .refundExceedsCapture)
            try await caller.refund("r", "void", 1).sandboxProblem(409, .refundExceedsCapture)
            try await caller.refund("r", "nobody", 1).sandboxProblem(404, .notFound)
            try await caller.refund("r", "k", 0).sandboxProblem(422, .validationFailed)
            try await caller.send(
                "POST", "/v1/refunds", #"{"charge":"k","amount":1,"currency":"USD"}"#,
                headers: [HeaderName.idempotencyKey: "r"]
            ).sandboxProblem(422, .currencyMismatch)
            #expect(try await caller.refunds().items == [])
        }
    }
}

import Foundation
import PouchEntities
import PouchSandbox
import PouchWire
import Testing

extension Caller {
    /// Asks the sandbox for a charge.
    func charge(
        _ key: String, _ amount: Int64 = 1_000, currency: String = "EUR", token: String = "tok_ok",
        capture: Bool? = nil, headers: [String: String] = [:]
    ) async throws -> Answered<Void> {
        let captured = capture.map { #","capture":\#($0)"# } ?? ""
        return try await send(
            "POST", "/v1/charges", #"{"amount":\#(amount),"currency":"\#(currency)","token":"\#(token)"\#(captured)}"#,
            headers: headers.merging([HeaderName.idempotencyKey: key]) { own, _ in own })
    }

    func refund(
        _ key: String, _ charge: String, _ amount: Int64, headers: [String: String] = [:]
    ) async throws -> Answered<Void> {
        try await send(
            "POST", "/v1/refunds", #"{"charge":"\#(charge)","amount":\#(amount)}"#,
            headers: headers.merging([HeaderName.idempotencyKey: key]) { own, _ in own })
    }

    func charge(booked key: String) async throws -> SandboxCharge {
        try await send("GET", "/v1/charges/\(key)").sandbox(200)
    }

    func charges(_ query: String = "") async throws -> Page<SandboxCharge> {
        try await send("GET", "/v1/charges" + query).sandbox(200)
    }

    func refunds() async throws -> Page<SandboxRefund> {
        try await send("GET", "/v1/refunds").sandbox(200)
    }
}

extension Answered {
    /// What the sandbox answered.
    func sandbox<Entry: Decodable>(
        _ expected: Int = 201, _ type: Entry.Type = Entry.self, _ sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Entry {
        try #require(status == expected, "\(status) \(text)", sourceLocation: sourceLocation)
        return try WireJSON.decode(type, from: body)
    }

    /// Expects a problem of the sandbox.
    func sandboxProblem(
        _ status: Int, _ code: SandboxProblemCode, _ sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
        #expect(header("Content-Type") == Problem.mediaType, sourceLocation: sourceLocation)
        let problem = try WireJSON.decode(Problem.self, from: body)
        #expect(problem.code.rawValue == code.rawValue && problem.status == status, sourceLocation: sourceLocation)
        expectNoLeak(sourceLocation)
    }
}

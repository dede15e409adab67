import Foundation
import Logging
import PouchEntities
import PouchJSON
import PouchSandbox
import PouchWire
import ServerTesting
import Testing

/// The sandbox payment provider on a local port.
struct RunningSandbox: Addressable, Sendable {
    var host = "127.0.0.1"
    let port: Int
    let ledger: SandboxLedger

    var transport: Transport { .tcp(host: host, port: port) }

    static let timing = SandboxProvider.Timing(slow: .milliseconds(50), lost: .milliseconds(20))

    /// - Parameter file: the ledger; nil makes a temporary one.
    static func serve(
        _ file: URL? = nil, configure: (inout SandboxService.Configuration) -> Void = { _ in },
        _ body: @escaping @Sendable (RunningSandbox) async throws -> Void
    ) async throws {
        try await TemporaryFolder.use { folder in
            let ledger = try await SandboxLedger(path: (file ?? folder.appending(path: "ledger.sqlite")).path)
            var configuration = SandboxService.Configuration()
            configuration.timing = timing
            configure(&configuration)
            try await withSandbox(ledger, configuration) { [host = configuration.host] port in
                try await body(RunningSandbox(host: host, port: port, ledger: ledger))
            }
        }
    }
}

extension Logger {
    static var silent: Logger {
        var logger = Logger(label: "test") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .critical
        return logger
    }
}

extension Caller {
    /// Requests a charge from the sandbox.
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

    func refunds() async throws -> Page<SandboxRefund> { try await send("GET", "/v1/refunds").sandbox(200) }
}

extension Answered {
    /// Decodes an answer of the sandbox.
    func sandbox<Entry: JSONCodable>(
        _ expected: Int = 201, _ type: Entry.Type = Entry.self, _ sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Entry {
        try #require(status == expected, "\(status) \(text)", sourceLocation: sourceLocation)
        return try Entry(json: body)
    }

    /// Expects a problem of the sandbox.
    func sandboxProblem(
        _ status: Int, _ code: SandboxProblemCode, _ sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
        #expect(header("Content-Type") == Problem.mediaType, sourceLocation: sourceLocation)
        let problem = try Problem(json: body)
        #expect(problem.code.rawValue == code.rawValue && problem.status == status, sourceLocation: sourceLocation)
        expectNoLeak(sourceLocation)
    }
}

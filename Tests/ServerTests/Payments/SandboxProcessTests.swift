import PouchSandbox
import ServerTesting
import Subprocess
import Testing

/// The sandbox payment provider on a local port.
struct RunningSandbox: Addressable, Sendable {
    let port: Int
    let ledger: SandboxLedger

    var transport: Transport { .tcp(port: port) }

    static let timing = SandboxProvider.Timing(slow: .milliseconds(50), lost: .milliseconds(20))

    /// - Parameter file: the ledger; nil makes a temporary one.
    static func serve(
        _ file: URL? = nil, configure: (inout SandboxService.Configuration) -> Void = { _ in },
        _ body: @Sendable (RunningSandbox) async throws -> Void
    ) async throws {
        try await TemporaryFolder.use { folder in
            let ledger = try await SandboxLedger(path: (file ?? folder.appending(path: "ledger.sqlite")).path)
            var configuration = SandboxService.Configuration()
            configuration.timing = timing
            configure(&configuration)
            try await withSandbox(ledger, configuration) { port in
                try await body(RunningSandbox(port: port, ledger: ledger))
            }
        }
    }
}

/// Runs each test with a sandbox of its own: `RunningSandbox.current`.
struct WithSandbox: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var sandbox: RunningSandbox?

    /// The tests of a suite share no sandbox.
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await RunningSandbox.serve { sandbox in
            try await Self.$sandbox.withValue(sandbox) { try await function() }
        }
    }
}

extension Trait where Self == WithSandbox {
    static var withSandbox: Self { Self() }
}

extension RunningSandbox {
    static var current: RunningSandbox {
        guard let sandbox = WithSandbox.sandbox else { preconditionFailure("The suite has no trait withSandbox.") }
        return sandbox
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

@Suite("The sandbox payment provider as a process", .timeLimit(.minutes(5)), .inFolder)
struct SandboxProcessTests {
    private let folder = TemporaryFolder.current

    @Test func `A provider killed between booking and answer returns the charge after a restart`() async throws {
        let ledger = folder.appending(path: "ledger.sqlite").path
        let killed = try await ServerProgram.serveSandbox("--port", "0", "--ledger", ledger, signal: .kill) { sandbox in
            let caller = sandbox.anyone
            let charge = Task { try await caller.charge("k", token: "tok_lost") }
            try await eventually { try await caller.charges().items.map(\.key) == ["k"] }
            try sandbox.end()
            await #expect(throws: (any Error).self) { try await charge.value }
        }
        #expect(killed.status == .signaled(9))
        try await ServerProgram.serveSandbox("--port", "0", "--ledger", ledger) { sandbox in
            let caller = sandbox.anyone
            let booked = try await caller.charge(booked: "k")
            #expect(booked.status == .captured && booked.captured == 1_000)
            let repeated: SandboxCharge = try await caller.charge("k", token: "tok_lost").sandbox()
            #expect(repeated == booked)
            #expect(try await caller.charges().items == [booked])
        }.good()
    }

    @Test func `A provider accepts a shop with its key, and refuses one with another key`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let keys = try ["right", "wrong"].map { try folder.file($0, "\($0)-secret\n") }
        let ledger = folder.appending(path: "elsewhere.sqlite").path
        _ = try await ServerProgram.serveSandbox("--port", "0", "--ledger", ledger, "--key-file", keys[0]) { sandbox in
            let url = "http://127.0.0.1:\(sandbox.port)"
            for (key, isPaid) in [(keys[0], true), (keys[1], false)] {
                let outcome = try await ServerProgram.serve(
                    on: database, "--payments", url, "--payments-key-file", key
                ) { shop in
                    let answer = try await shop.guest().buyNow()
                    if isPaid {
                        #expect(try answer.good().status == .paid)
                    } else {
                        try answer.problem(.paymentProviderError)
                    }
                }
                #expect(!outcome.errors.contains("-secret"))
            }
            _ = try await ServerProgram.serve(
                "--port", "0", "--database", database, "--payments", url,
                environment: ["POUCH_PAYMENTS_KEY": "right-secret"]
            ) { shop in
                let status = try await shop.guest().buyNow().good().status
                #expect(status == .paid)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "sandbox-payments.sqlite").path))
    }
}

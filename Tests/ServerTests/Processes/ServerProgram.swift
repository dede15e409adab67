import ServerTesting
import Subprocess
import SystemPackage
import Testing

/// The folder of these tests, and of everything that was built with them.
enum BuildFolder {
    static var path: FilePath {
        let tests = Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" }
        return FilePath((tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL).path)
    }
}

/// The executable pouch-server, built with these tests.
enum ServerProgram {
    static var path: FilePath { BuildFolder.path.appending("pouch-server") }

    /// The outcome of a run.
    struct Outcome: Sendable {
        let status: TerminationStatus
        let output: String
        let errors: String

        /// Checks that the program has exited with 0.
        @discardableResult
        func good(_ sourceLocation: SourceLocation = #_sourceLocation) throws -> Outcome {
            try #require(status == .exited(0), "\(errors)", sourceLocation: sourceLocation)
            return self
        }

        /// Checks that the program has exited with 1, or another code of failure, and has said why.
        func expectFailure(
            _ reason: String, code: TerminationStatus.Code = 1, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(
                status == .exited(code) && errors.contains(reason), "\(output)\(errors)",
                sourceLocation: sourceLocation)
        }
    }

    /// Serves a database on a free port during the body, and checks that the server then exits with 0.
    @discardableResult
    static func serve(
        on database: String, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @Sendable (Serving) async throws -> Void
    ) async throws -> Outcome {
        try await serve(on: database, arguments, sourceLocation: sourceLocation, body)
    }

    @discardableResult
    static func serve(
        on database: String, _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @Sendable (Serving) async throws -> Void
    ) async throws -> Outcome {
        try await serve(["--port", "0", "--database", database] + arguments, body).good(sourceLocation)
    }

    /// Runs the program until it exits.
    static func run(
        _ arguments: String..., input: String = "", environment settings: [String: String] = [:]
    ) async throws -> Outcome {
        try await run(arguments, input: input, environment: settings)
    }

    /// - Parameter program: by default the one of this release.
    static func run(
        _ arguments: [String], input: String = "", environment settings: [String: String] = [:],
        program: FilePath = path
    ) async throws -> Outcome {
        let result = try await Subprocess.run(
            .path(program), arguments: Arguments(arguments), environment: .pouch(settings),
            input: try .text(input), output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        return Outcome(status: result.terminationStatus, output: result.standardOutput, errors: result.standardError)
    }

    /// Runs the program and kills it once the condition holds.
    static func kill(_ arguments: String..., when condition: @Sendable () async throws -> Bool) async throws {
        let status = try await Subprocess.run(
            .path(path), arguments: Arguments(arguments), environment: .pouch(), input: .none,
            output: .discarded, error: .discarded
        ) { execution in
            try await eventually(condition)
            try execution.send(signal: .kill)
        }.terminationStatus
        #expect(status == .signaled(9))
    }

    /// A server that runs during a test.
    struct Serving: Addressable, Sendable {
        let port: Int
        let processId: Int
        var transport: Transport { .tcp(port: port) }
        let send: @Sendable (Signal) throws -> Void
        /// Sends the server the signal of its end.
        let end: @Sendable () throws -> Void

        func available(_ sku: String = "cap") async throws -> Int? {
            try await anyone.call(Contract.availability, query: "sku=" + sku).good().items.first?.available
        }
    }

    /// Runs the server during the body.
    ///
    /// - Parameter signal: sent after the body.
    static func serve(
        _ arguments: String..., environment settings: [String: String] = [:], signal: Signal = .terminate,
        _ body: @Sendable (Serving) async throws -> Void
    ) async throws -> Outcome {
        try await serve(arguments, environment: settings, signal: signal, body)
    }

    /// - Parameter program: by default the one of this release.
    static func serve(
        _ arguments: [String], environment settings: [String: String] = [:], signal: Signal = .terminate,
        program: FilePath = path, _ body: @Sendable (Serving) async throws -> Void
    ) async throws -> Outcome {
        try await running(["serve"] + arguments, environment: settings, signal: signal, program: program, body)
    }

    /// Runs the sandbox payment provider during the body.
    static func serveSandbox(
        _ arguments: String..., signal: Signal = .terminate, _ body: @Sendable (Serving) async throws -> Void
    ) async throws -> Outcome { try await running(["sandbox-payments"] + arguments, signal: signal, body) }

    private static func running(
        _ arguments: [String], environment settings: [String: String] = [:], signal: Signal, program: FilePath = path,
        _ body: @Sendable (Serving) async throws -> Void
    ) async throws -> Outcome {
        let result = try await Subprocess.run(
            .path(program), arguments: Arguments(arguments), environment: .pouch(settings), input: .none,
            output: .sequence, error: .string(limit: 4 << 20)
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            let first = try await lines.next() ?? ""
            let found = first.firstMatch(of: #/https?://[0-9.]+:(\d+)/#).flatMap { Int($0.1) }
            try await body(
                Serving(
                    port: try #require(found, "\(first)"), processId: Int(execution.processIdentifier.value),
                    send: { try execution.send(signal: $0) }, end: { try execution.send(signal: signal) }))
            try? execution.send(signal: signal)
            var output = first
            while let line = try await lines.next() { output += line }
            return output
        }
        return Outcome(status: result.terminationStatus, output: result.closureResult, errors: result.standardError)
    }
}

/// Runs each test, or each case of a test with arguments, with a folder of its own: `TemporaryFolder.current`.
struct InFolder: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var folder: URL?

    /// The folder that has those of the tests; nil for the system's.
    var parent: URL?
    /// The tests of a suite share no folder.
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        func run(in folder: URL) async throws { try await Self.$folder.withValue(folder) { try await function() } }
        guard let parent else { return try await TemporaryFolder.use { try await run(in: $0) } }
        let folder = try parent.folder(UUID().uuidString)
        try await withCleanup({ try FileManager.default.removeItem(at: folder) }) { try await run(in: folder) }
    }
}

extension Trait where Self == InFolder {
    static var inFolder: Self { Self() }
    static func inFolder(of parent: URL?) -> Self { Self(parent: parent) }
}

extension TemporaryFolder {
    /// The folder of a test that has the trait `inFolder`, or whose suite has it.
    static var current: URL {
        guard let folder = InFolder.folder else {
            preconditionFailure("Only a test with the trait inFolder has a folder.")
        }
        return folder
    }
}

extension URL {
    /// The root of the repository.
    static let repository = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    /// Makes a folder in the folder.
    func folder(_ name: String) throws -> URL {
        let folder = appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Writes a file of the folder, and returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        let file = appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}

/// A shop's files in a folder.
enum ShopFolder {
    /// Makes a database with ten caps, and returns the value for `--database`.
    static func stocked(_ folder: URL) async throws -> String {
        let database = try await TestDatabase(in: folder).text
        let feed = try csv(folder, "caps", products: [("cap", 10)])
        try await ServerProgram.run("import", "--format", "shopify-csv", "--database", database, feed).good()
        return database
    }

    static func rows(_ sql: String, in database: String) async throws -> [SQLRow] {
        try await DatabaseAddress(database).write { try $0.rows(sql, []) }
    }

    /// The units of a SKU that a server on the database has.
    static func available(_ sku: String = "cap", in database: String) async throws -> Int? {
        let number = Box<Int>()
        try await ServerProgram.serve(on: database) { server in await number.set(try await server.available(sku)) }
        return await number.value
    }

    /// Makes an owner, root@example.com.
    static func makeOwner(_ database: String) async throws {
        try await ServerProgram.run(
            "admin", "create", "--email", "root@example.com", "--database", database, input: .password + "\n"
        ).good()
    }

    /// Writes a Shopify CSV of products at 10.00, and returns its path.
    static func csv(_ folder: URL, _ name: String, products: [(String, Int)]) throws -> String {
        let text = "<p>\(String(repeating: "Warm. ", count: 20))</p>"
        let rows = products.map { handle, stock in
            "\(handle),\(handle.capitalized),\(text),\(handle),\(stock),10.00\n"
        }
        let header = "Handle,Title,Body (HTML),Variant SKU,Variant Inventory Qty,Variant Price\n"
        return try folder.file(name + ".csv", header + rows.joined())
    }
}

/// A Python program in Tests, run with the libraries that Tests/requirements.txt names.
enum PeerProgram {
    private static let tests = URL.repository.appending(path: "Tests")

    static var python: FilePath {
        get throws {
            let path = tests.appending(path: ".build-peers/bin/python").path
            try #require(
                FileManager.default.isExecutableFile(atPath: path), "Python is missing. Run “make Tests/.build-peers”.")
            return FilePath(path)
        }
    }

    /// - Parameter script: below the folder Tests.
    static func path(_ script: String) -> String { tests.appending(path: script).path }
}

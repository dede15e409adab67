import Foundation
import Subprocess
import SystemPackage

/// A server program that can be killed and started again.
actor ServedProgram {
    private struct Running {
        let port: Int
        let kill: @Sendable (Signal) throws -> Void
        let end: Task<Void, any Error>
    }

    struct DidNotStart: Error { let arguments: [String] }

    private let executable: FilePath
    private let arguments: [String]
    private let log: FilePath
    private var running: Running?

    /// - Parameter log: the file that its standard error is added to.
    init(_ executable: FilePath, _ arguments: [String], log: FilePath) {
        self.executable = executable
        self.arguments = arguments
        self.log = log
    }

    /// Where it listens; nil while it is away.
    var port: Int? { running?.port }

    /// Returns once it listens.
    func start() async throws {
        let (started, report) = AsyncStream.makeStream(of: (Int, @Sendable (Signal) throws -> Void).self)
        let end = Task { [executable, arguments, log] in
            defer { report.finish() }
            let errors = try FileDescriptor.open(
                log, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
            _ = try await Subprocess.run(
                .path(executable), arguments: Arguments(arguments), environment: Self.environment, input: .none,
                output: .sequence, error: .fileDescriptor(errors, closeAfterSpawningProcess: true)
            ) { execution in
                for try await line in execution.standardOutput.strings() {
                    if let match = line.firstMatch(of: #/http://127\.0\.0\.1:(\d+)/#), let port = Int(match.1) {
                        report.yield((port, { try execution.send(signal: $0) }))
                    }
                }
            }
        }
        guard let (port, kill) = await started.first(where: { _ in true }) else {
            try await end.value
            throw DidNotStart(arguments: arguments)
        }
        running = Running(port: port, kill: kill, end: end)
    }

    /// Returns once it is gone.
    func end(_ signal: Signal) async throws {
        guard let running else { return }
        self.running = nil
        try running.kill(signal)
        try await running.end.value
    }

    /// That of this program, without settings of a shop.
    private static var environment: Environment {
        var changes: [Environment.Key: String?] = [:]
        for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("POUCH_") {
            changes[Environment.Key(stringLiteral: name)] = .some(nil)
        }
        return .inherit.updating(changes)
    }
}

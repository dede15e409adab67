import ClientTesting
import Foundation
import PseudoTerminal
import ServerTesting
import Subprocess
import SystemPackage

/// Runs the terminal clients, which were built with the tests.
enum Program {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs a program to its end, with the given environment, PATH and an empty HOME only.
    ///
    /// - Parameter input: The text of standard input, which is not a terminal.
    static func run(
        _ name: String, _ arguments: [String], environment: [String: String], input: String
    ) async throws -> Outcome {
        let home = try TemporaryFolder()
        defer { withExtendedLifetime(home) {} }
        var values: [Environment.Key: String] = ["PATH": "/usr/bin:/bin", "HOME": home.url.path]
        for (name, value) in environment { values[Environment.Key(stringLiteral: name)] = value }
        let result = try await Subprocess.run(
            .path(FilePath(BuiltProgram.url(name).path)), arguments: Arguments(arguments), environment: .custom(values),
            input: try .text(input),
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        let status: Int32
        switch result.terminationStatus {
        case .exited(let code): status = code
        case .signaled(let signal): status = 128 + signal
        }
        return Outcome(status: status, output: result.standardOutput, errors: result.standardError)
    }
}

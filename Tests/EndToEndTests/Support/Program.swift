import Foundation
import PseudoTerminal
import StandardInput
import Subprocess
import SystemPackage

/// The terminal clients, as they were built beside the tests.
enum Program {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs the program to its end, with nothing in its environment but what is given.
    ///
    /// - Parameters:
    ///   - name: which of them.
    ///   - input: what it reads from standard input, which is no terminal.
    static func run(
        _ name: String, _ arguments: [String], environment: [String: String], input: String
    ) async throws -> Outcome {
        var values: [Environment.Key: String] = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
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

import Foundation
import Subprocess
import SystemPackage

/// A server that says on standard output where it serves, as a process of its own.
public enum ServerProcess {
    /// Runs until the closure has ended.
    ///
    /// - Parameter program: its path; it is the first thing to print an address that starts with `http://`.
    public static func running<Value: Sendable>(
        _ program: String, _ arguments: [String], _ body: @escaping @Sendable (URL) async throws -> Value
    ) async throws -> Value {
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments), input: .none, output: .sequence,
            error: .discarded
        ) { execution in
            for try await line in execution.standardOutput.strings() {
                guard let match = line.firstMatch(of: #/http://[0-9.:]+/#), let url = URL(string: String(match.0))
                else {
                    continue
                }
                let outcome: Result<Value, any Error>
                do { outcome = .success(try await body(url)) } catch { outcome = .failure(error) }
                try execution.send(signal: .kill)
                return try outcome.get()
            }
            throw BenchError("\(program) did not start")
        }
        return result.closureResult
    }
}

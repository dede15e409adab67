import Subprocess

/// Runs programs of the system.
public enum Program {
    /// - Returns: what the program wrote to standard output.
    public static func run(_ name: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name(name), arguments: .init(arguments), input: .none, output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20))
        guard result.terminationStatus.isSuccess else {
            throw BenchError("\(name): \(result.standardError) \(result.standardOutput)")
        }
        return result.standardOutput
    }
}

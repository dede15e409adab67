import Foundation

/// One of the project's programs, as it was built beside the tests.
struct Program: Sendable {
    static let pouch = Program("pouch")
    static let server = Program("pouch-server")

    private let path: URL

    private init(_ name: String) {
        #if os(macOS)
            let folder = Bundle(for: Anchor.self).bundleURL.deletingLastPathComponent()
        #else
            let folder = Bundle.main.bundleURL
        #endif
        path = folder.appending(path: name)
    }

    private final class Anchor {}

    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs the program to its end.
    ///
    /// - Parameter input: what it reads from standard input, which is no terminal.
    func run(
        _ arguments: [String], environment: [String: String] = [:], input: String = ""
    ) async throws -> Outcome {
        let process = Process()
        process.executableURL = path
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(environment) { $1 }
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        try process.run()
        async let output = Self.text(stdout)
        async let errors = Self.text(stderr)
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let texts = try await (output, errors)
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: texts.0, errors: texts.1)
    }

    /// Reading blocks, so it is done on a thread outside the cooperative pool.
    private static func text(_ pipe: Pipe) async throws -> String {
        let handle = pipe.fileHandleForReading
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: String(decoding: handle.readDataToEndOfFile(), as: UTF8.self))
            }
        }
    }
}

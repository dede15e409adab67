import Foundation

/// A program to run.
struct Command {
    private let arguments: [String]
    private let folder: URL?
    private let environment: [String: String]

    /// - Parameter environment: variables in addition to those of this process.
    init(_ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]) {
        (self.arguments, self.folder, self.environment) = (arguments, folder, environment)
    }

    /// Runs the program to its end, and returns its output and its errors.
    @discardableResult
    func run() throws(CommandFailed) -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        func failed(_ output: String) -> CommandFailed {
            CommandFailed(command: arguments.joined(separator: " "), output: output)
        }
        let output: Data
        do {
            try process.run()
            // Until the end, so that the pipe never fills up.
            output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        } catch {
            throw failed("\(error)")
        }
        process.waitUntilExit()
        let text = String(decoding: output, as: UTF8.self)
        guard process.terminationStatus == 0 else { throw failed(text) }
        return text
    }
}

struct CommandFailed: Error, CustomStringConvertible {
    let command: String
    let output: String

    /// With the lines that name errors, or else the last ones.
    var description: String {
        let lines = output.split(separator: "\n").map(String.init)
        let errors = lines.filter { $0.contains("error:") || $0.contains("✘") }
        let shown = errors.isEmpty ? lines.suffix(10) : errors.prefix(20)
        return (["This failed: " + command] + shown.map { "  " + $0 }).joined(separator: "\n")
    }
}

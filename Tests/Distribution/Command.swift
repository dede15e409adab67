import Foundation

/// A reason why no distribution can be made, to be shown as it is.
struct DistributionError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A program that is run and waited for.
enum Command {
    /// Returns what a program prints. Its errors go to this program's, unless the caller has a better text for them.
    static func output(_ arguments: [String], showsErrors: Bool = true) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        if !showsErrors { process.standardError = FileHandle.nullDevice }
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw DistributionError("\(arguments.joined(separator: " ")) failed.")
        }
        return String(decoding: output, as: UTF8.self)
    }
}

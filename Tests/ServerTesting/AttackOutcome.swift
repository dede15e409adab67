import Foundation

/// The outcome of an attack on running servers, such as kills under load or a bad network.
public struct AttackOutcome: Sendable {
    /// Broken promises and contradictions between the books; empty if the shop withstood the attack.
    public let violations: [String]
    /// The counts of the attack, as a text.
    public let summary: String

    public init(violations: [String], summary: String) {
        self.violations = violations
        self.summary = summary
    }

    /// Runs an attack from the command line and prints its outcome.
    ///
    /// Exits with 1 and keeps the files of the attack if it found violations.
    ///
    /// - Parameter attack: receives a folder for its files, and a closure that shows a line of progress.
    public static func report(
        _ attack: @Sendable (URL, @escaping @Sendable (String) -> Void) async throws -> AttackOutcome
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let outcome = try await attack(folder) { line in
            FileHandle.standardError.write(Data("\r\u{1b}[K\(line)".utf8))
        }
        print("\n" + outcome.summary)
        guard outcome.violations.isEmpty else {
            print("violations:\n" + outcome.violations.joined(separator: "\n") + "\nfiles: \(folder.path)")
            exit(1)
        }
        print("no violations")
        try await TestDatabase.remove(folder)
        try FileManager.default.removeItem(at: folder)
    }
}

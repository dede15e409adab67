import Foundation
import TestDatabase

/// `chaos [SHOPPERS [FIRST SEED]]`: on SQLite, or on the PostgreSQL server that POUCH_TEST_POSTGRES names. Ends with 1, and
/// keeps its files, when anything is wrong.
@main
struct ChaosProgram {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let first = numbers.dropFirst().first ?? UInt64.random(in: 1...999_999)
        let shoppers = max(1, numbers.first ?? 1000)
        let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let outcome = try await Chaos(seeds: first..<first + shoppers).run(in: folder) { through in
            FileHandle.standardError.write(Data("\r\u{1b}[K\(through) of \(shoppers) shoppers".utf8))
        }
        print("\n" + outcome.summary)
        guard outcome.violations.isEmpty else {
            print("violations:\n" + outcome.violations.joined(separator: "\n") + "\nfiles: \(folder.path)")
            exit(1)
        }
        print("nothing is wrong")
        try await TestDatabase.remove(folder)
        try FileManager.default.removeItem(at: folder)
    }
}

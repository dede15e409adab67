import Foundation
import SystemPackage
import TestDatabase

/// `torture [ROUNDS [SEED]]`, or `torture rides [RIDERS [SEED]]`: on SQLite, or on the PostgreSQL server that
/// POUCH_TEST_POSTGRES names. Ends with 1, and keeps its files, when anything is wrong.
@main
struct TortureProgram {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let seed = numbers.dropFirst().first ?? UInt64.random(in: 1...999_999)
        let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        print("seed \(seed)")
        let executable = FilePath(Bundle.main.bundleURL.appending(path: "pouch-server").path)
        let progress = { @Sendable (line: String) in
            FileHandle.standardError.write(Data("\r\u{1b}[K\(line)".utf8))
        }
        let outcome =
            CommandLine.arguments.contains("rides")
            ? try await RideTorture(
                executable: executable, riders: max(1, Int(numbers.first ?? 500)), kangaroosOfEachSpecies: 67,
                kills: 20, seed: seed
            ).run(in: folder, progress: progress)
            : try await Torture(executable: executable, rounds: max(1, Int(numbers.first ?? 20)), seed: seed)
                .run(in: folder, progress: progress)
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

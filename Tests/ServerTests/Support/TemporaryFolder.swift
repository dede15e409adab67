import Foundation
import TestDatabase

/// A folder that is gone after the use, with the database that was made for it.
enum TemporaryFolder {
    static func use<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let result: Result<Value, any Error>
        do { result = .success(try await body(folder)) } catch { result = .failure(error) }
        try await TestDatabase.remove(folder)
        return try result.get()
    }
}

import Foundation
import Subprocess
import SystemPackage
import Testing

/// A PostgreSQL server of a test's own, which the test may stop and start.
struct Cluster: Sendable {
    private let folder: URL

    static func use(_ body: (Cluster) async throws -> Void) async throws {
        try await TemporaryFolder.use { folder in
            let cluster = Cluster(folder: folder)
            let result: Result<Void, any Error>
            do { result = .success(try await body(cluster)) } catch { result = .failure(error) }
            _ = try? await cluster.stop()
            try result.get()
        }
    }

    /// - Returns: the address of a database.
    @discardableResult
    func start() async throws -> String { try await script("start") }

    func stop() async throws { _ = try await script("stop") }

    private func script(_ verb: String) async throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let result = try await Subprocess.run(
            .path(FilePath(root.appending(path: ".ci/postgres").path)), arguments: [verb, folder.path], input: .none,
            output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
        return result.standardOutput.trimmingCharacters(in: .newlines)
    }
}

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

    /// - Parameter options: for the server, as `-c ssl=on`.
    /// - Returns: the address of a database.
    @discardableResult
    func start(_ options: String...) async throws -> String { try await script("start", options) }

    /// The password of the only user; known once the server has started.
    var password: String {
        get throws {
            let line = try String(contentsOf: folder.appending(path: "pgpass"), encoding: .utf8)
            return try #require(line.split(separator: ":").last).trimmingCharacters(in: .newlines)
        }
    }

    /// The same, with TLS.
    func start(with certificate: Certificate) async throws -> String {
        // The folder has to be empty the first time.
        try await start()
        try await stop()
        let data = folder.appending(path: "cluster")
        let owner = try FileManager.default.attributesOfItem(atPath: data.path)[.ownerAccountName] ?? ""
        for (from, name) in [(certificate.file, "server.crt"), (certificate.key, "server.key")] {
            let file = data.appending(path: name)
            try FileManager.default.copyItem(at: from, to: file)
            try FileManager.default.setAttributes(
                [.ownerAccountName: owner, .posixPermissions: 0o600], ofItemAtPath: file.path)
        }
        return try await start("-c", "ssl=on")
    }

    func stop() async throws { _ = try await script("stop") }

    private func script(_ verb: String, _ options: [String] = []) async throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let result = try await Subprocess.run(
            .path(FilePath(root.appending(path: ".ci/postgres").path)),
            arguments: Arguments([verb, folder.path] + options), input: .none,
            output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
        return result.standardOutput.trimmingCharacters(in: .newlines)
    }
}

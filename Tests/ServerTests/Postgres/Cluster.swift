import Foundation
import ServerTesting
import Subprocess
import SystemPackage
import Testing

/// A PostgreSQL server that a test can stop and start.
struct Cluster: Sendable {
    private let folder: URL

    static func use(_ body: (Cluster) async throws -> Void) async throws {
        try await TemporaryFolder.use { folder in
            let cluster = Cluster(folder: folder)
            try await withCleanup({ _ = try? await cluster.stop() }) { try await body(cluster) }
        }
    }

    /// - Parameter options: server options, such as `-c ssl=on`.
    /// - Returns: the address of a database.
    @discardableResult
    func start(_ options: String...) async throws -> String { try await script("start", options) }

    /// The password of the only user, available once the server has started.
    var password: String {
        get throws {
            let line = try String(contentsOf: folder.appending(path: "pgpass"), encoding: .utf8)
            return try #require(line.split(separator: ":").last).trimmingCharacters(in: .newlines)
        }
    }

    /// Starts the server with TLS.
    func start(with certificate: Certificate) async throws -> String {
        // The first start needs an empty folder.
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

/// A self-signed certificate with its key.
struct Certificate {
    /// The certificate and its key, as PEM files.
    let file: URL
    let key: URL

    /// - Parameter name: the subject alternative name, such as `IP:127.0.0.1`.
    init(for name: String, in folder: URL) async throws {
        file = folder.appending(path: "certificate.pem")
        key = folder.appending(path: "key.pem")
        let result = try await Subprocess.run(
            .name("openssl"),
            arguments: [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=pouch", "-addext", "subjectAltName=\(name)", "-keyout", key.path, "-out", file.path,
            ], input: .none, output: .discarded, error: .string(limit: 1 << 16))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
    }
}

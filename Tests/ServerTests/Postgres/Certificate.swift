import Foundation
import Subprocess
import Testing

/// A certificate that vouches for itself, with its key.
struct Certificate {
    /// PEM files.
    let file: URL
    let key: URL

    /// - Parameter name: for which it is good, as `IP:127.0.0.1`.
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

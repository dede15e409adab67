import Benchmarking
import Loopback
import Subprocess
import SystemPackage

/// nginx, which serves the files of a folder on free ports of this machine, without and with TLS.
struct Nginx {
    let address: String
    let encryptedAddress: String

    /// Serves the contents by their names. The folder receives nginx's own files.
    static func running<Value: Sendable>(
        in folder: URL, serving files: [String: Data], _ certificate: BenchCertificate,
        _ body: @escaping @Sendable (Nginx) async throws -> Value
    ) async throws -> Value {
        let pages = folder.appending(path: "pages")
        try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
        for (name, content) in files { try content.write(to: pages.appending(path: name)) }
        let port = Int.random(in: 10_000..<15_000) * 2
        let configuration = folder.appending(path: "nginx.conf")
        try text(folder, pages, port, certificate).write(to: configuration, atomically: true, encoding: .utf8)
        let command = "PATH=$PATH:/usr/sbin exec nginx -e stderr -p \"$0\" -c \"$1\""
        let result = try await Subprocess.run(
            .path("/bin/sh"), arguments: ["-c", command, folder.path, configuration.path], input: .none,
            output: .discarded, error: .discarded
        ) { nginx in
            let outcome: Result<Value, any Error>
            do {
                let (address, encrypted) = ("http://127.0.0.1:\(port)", "https://127.0.0.1:\(port + 1)")
                let server = Nginx(address: address, encryptedAddress: encrypted)
                _ = try await Program.curl(
                    server.address, ["--retry", "20", "--retry-delay", "1", "--retry-connrefused"])
                outcome = .success(try await body(server))
            } catch { outcome = .failure(error) }
            try nginx.send(signal: .terminate)
            return try outcome.get()
        }
        return result.closureResult
    }

    /// A configuration for small files: sent by the system from its cache, without a log, with file handles kept open.
    private static func text(_ folder: URL, _ pages: URL, _ port: Int, _ certificate: BenchCertificate) -> String {
        """
        daemon off;
        worker_processes auto;
        pid \(folder.path)/nginx.pid;
        events { worker_connections 1024; }
        http {
            access_log off;
            sendfile on;
            tcp_nopush on;
            keepalive_requests 1000000000;
            open_file_cache max=100 inactive=600s;
            open_file_cache_valid 600s;
            default_type application/json;
            server {
                listen 127.0.0.1:\(port) reuseport;
                listen 127.0.0.1:\(port + 1) ssl reuseport;
                ssl_certificate \(certificate.file.path);
                ssl_certificate_key \(certificate.key.path);
                ssl_protocols TLSv1.2 TLSv1.3;
                root \(pages.path);
            }
        }
        """
    }
}

/// The files of a certificate for this machine, and of its key.
struct BenchCertificate {
    let file: URL
    let key: URL

    init(in folder: URL) throws {
        (file, key) = (folder.appending(path: "certificate.pem"), folder.appending(path: "key.pem"))
        try TestCertificate.pem(TestCertificate.server).write(to: file, atomically: true, encoding: .utf8)
        let base64 = TestCertificate.serverKey.base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed])
        try "-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n"
            .write(to: key, atomically: true, encoding: .utf8)
    }
}

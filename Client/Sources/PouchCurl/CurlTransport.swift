#if os(Linux)
    import CLibcurl
    import Foundation
    import PouchNetwork

    /// A transport over the system's libcurl, the library beneath URLSession on Linux, without the defects of the layer
    /// between the two.
    ///
    /// While it has requests, it runs them on one thread of its own. Clients that share it share that thread and its
    /// connections. It limits the server to the speed at which a body is read. Compressed bodies are returned
    /// decompressed. It speaks HTTP/1.1 and uses the proxies that `http_proxy`, `https_proxy`, `all_proxy` and
    /// `no_proxy` name; libcurl also reads the names in upper case, except `HTTP_PROXY`.
    ///
    /// While libcurl before 7.87 looks up a host name, cancelling that request delays the transport's other requests
    /// until the name server has answered or libcurl gives up.
    ///
    ///     let client = try Pouch(server: shop, transport: CurlTransport())
    public final class CurlTransport: Transport {
        private let loop: CurlLoop
        private let trust: CurlTrust

        /// - Throws: without libcurl 7.68 or later; for certificates that cannot be read, or without libcurl 7.77 or
        ///   later; for public keys, because libcurl compares only the server's own key.
        public init(trust: ServerTrust = .system) throws(UnsupportedTrust) {
            guard let loop = CurlLoop() else { throw UnsupportedTrust("the system has no libcurl 7.68 or later") }
            self.trust = try CurlTrust(trust)
            self.loop = loop
        }

        deinit {
            loop.stop()
        }

        public func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
            try request.checkAddress()
            try request.checkHead()
            let id = loop.makeId()
            // Opened here, because a slow disk must not delay the requests on the loop's thread.
            var file: FileAhead?
            if let upload = request.upload {
                file = try await FileAhead(upload.file, onChunk: { [loop] in loop.resume(id) })
            }
            let exchange = ResponseExchange(
                onCancel: { [loop] in loop.cancel(id) }, onDrain: { [loop] in loop.resume(id) })
            return try await exchange.response { [trust, file] in
                loop.start(id) { CurlTransfer(request, file, trust, exchange) }
            }
        }
    }

    /// `ServerTrust` in libcurl's terms.
    struct CurlTrust: Sendable {
        /// The certificates in PEM; nil for those of the system.
        private let certificates: Data?

        init(_ trust: ServerTrust) throws(UnsupportedTrust) {
            switch trust {
            case .system: certificates = nil
            case .publicKeys: throw UnsupportedTrust("libcurl cannot pin the public keys of a chain")
            case .certificates(let all):
                guard all.allSatisfy({ SubjectPublicKeyInfo.bytes(inCertificate: $0) != nil }) else {
                    throw UnsupportedTrust("a certificate cannot be read")
                }
                let lines = all.map { certificate in
                    let base64 = certificate.base64EncodedString(options: [
                        .lineLength64Characters, .endLineWithLineFeed,
                    ])
                    return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
                }
                certificates = Data(lines.joined().utf8)
                guard let easy = libcurl_easy_init() else { throw UnsupportedTrust("libcurl has no memory") }
                defer { libcurl_easy_cleanup(easy) }
                guard apply(to: easy) else {
                    throw UnsupportedTrust("libcurl before 7.77 cannot be given certificates")
                }
            }
        }

        /// - Returns: false if libcurl does not support it.
        func apply(to easy: UnsafeMutableRawPointer) -> Bool {
            guard let certificates else { return true }
            // The system's certificate folder would be trusted in addition.
            guard libcurl_easy_set_pointer(easy, CurlOption.certificateFolder, nil) == 0 else { return false }
            return certificates.withUnsafeBytes { bytes in
                libcurl_easy_set_bytes(easy, CurlOption.certificates, bytes.baseAddress, bytes.count) == 0
            }
        }
    }
#endif

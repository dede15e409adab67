import PouchNetwork

#if os(Linux)
    import PouchCurl
#endif

/// The default transport: URLSession on Apple's systems, libcurl on Linux.
///
/// Pass one to `Pouch` to share its connections between clients, or to trust a private certificate authority:
///
///     let trust = try ServerTrust(certificatesAt: URL(filePath: "/etc/shop/authority.pem"))
///     let pouch = Pouch(server: shop, transport: try StandardTransport(trust: trust))
public struct StandardTransport: Transport {
    private let transport: any Transport

    /// On Linux without libcurl 7.68 or later, this is URLSession, with the defects that `URLSessionTransport` lists.
    /// `CurlTransport()` throws the reason instead.
    public init() {
        #if os(Linux)
            // A statically linked program cannot load libcurl.
            transport = (try? CurlTransport()) ?? URLSessionTransport()
        #else
            transport = URLSessionTransport()
        #endif
    }

    /// - Throws: for certificates that cannot be read; on Linux for `.publicKeys`, and for certificates if the system's
    ///   libcurl is older than 7.77.
    public init(trust: ServerTrust) throws(UnsupportedTrust) {
        guard trust != .system else {
            self = StandardTransport()
            return
        }
        #if os(Linux)
            self.init(try CurlTransport(trust: trust))
        #else
            self.init(try URLSessionTransport(trust: trust))
        #endif
    }

    private init(_ transport: any Transport) {
        self.transport = transport
    }

    public func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        try await transport.send(request)
    }
}

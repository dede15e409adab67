#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchEntities

    /// The address of the server and the certificates to trust, for all of Pouch's terminal programs.
    public struct ServerOption: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The shop's server. (default: $POUCH_SERVER, or http://127.0.0.1:8080)", valueName: "url"))
        public var server: String?

        @Option(
            help: ArgumentHelp(
                "Trust only the certificates in this PEM file. (default: $SSL_CERT_FILE, or the system's)",
                valueName: "file"))
        public var ca: String?

        @Flag(help: "Allow HTTP to other machines. Passwords and tokens are then sent unencrypted.")
        public var plainHTTP = false

        public init() {}

        public func validate() throws {
            let url = try url
            guard url.scheme?.lowercased() == "https" || Self.isOfThisMachine(url.host() ?? "") || plainHTTP else {
                throw ValidationError(
                    "Passwords and tokens would be sent to \(url) unencrypted. Use https, or add --plain-http.")
            }
            if let ca { _ = try Self.trust(in: ca, "--ca") }
        }

        public var url: URL {
            get throws {
                let text = server ?? Self.environment("POUCH_SERVER") ?? "http://127.0.0.1:8080"
                guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
                    url.host()?.isEmpty == false, url.query() == nil, url.fragment() == nil
                else {
                    let source = server == nil ? "POUCH_SERVER" : "--server"
                    throw ValidationError(
                        "\(source) must be like http://127.0.0.1:8080 or https://shop.example, not \(text).")
                }
                return url
            }
        }

        /// Uses the server of a link from an e-mail if the user has not named one, so that no other server receives the
        /// link's token.
        ///
        /// - Parameters:
        ///   - link: `https://shop.example/orders#token`, or only the token, which names no server.
        ///   - page: the last part of the path, before the `#`.
        /// - Throws: a `ValidationError` if the user has named another server, or the text is not such a link.
        public mutating func adopt(link: String, page: String) throws {
            guard let sign = link.lastIndex(of: "#") else { return }
            let (address, end) = (link[..<sign].trimmingCharacters(in: .whitespaces), "/" + page)
            guard address.hasSuffix(end) else {
                throw ValidationError("A link must be like https://shop.example\(end)#…, not \(address)#….")
            }
            var own = self
            own.server = String(address.dropLast(end.count))
            try own.validate()
            guard server == nil, Self.environment("POUCH_SERVER") == nil else {
                let (named, linked) = (try url, try own.url)
                guard Self.place(named) != Self.place(linked) else { return }
                throw ValidationError(
                    """
                    The link is for \(linked), not for \(named). Omit --server and $POUCH_SERVER, or enter only the \
                    text after the # to send it to \(named).
                    """)
            }
            self = own
        }

        /// Equal for addresses of one server.
        private static func place(_ url: URL) -> [String] {
            let scheme = url.scheme?.lowercased() ?? ""
            let path = url.path().split(separator: "/").map(String.init)
            return [scheme, url.host()?.lowercased() ?? "", "\(url.port ?? (scheme == "https" ? 443 : 80))"] + path
        }

        /// Creates a transport that trusts the certificates the user has chosen. `SSL_CERT_FILE` is read for a server
        /// with https only, because it may be set for other programs.
        public func makeTransport() throws -> any Transport {
            let isEncrypted = try url.scheme?.lowercased() == "https"
            let source = ca == nil ? "SSL_CERT_FILE" : "--ca"
            guard let path = ca ?? (isEncrypted ? Self.environment(source) : nil) else { return StandardTransport() }
            let trust = try Self.trust(in: path, source)
            do throws(UnsupportedTrust) {
                return try StandardTransport(trust: trust)
            } catch {
                throw ValidationError("\(source) \(path) cannot be used: \(error.explanation).")
            }
        }

        private static func trust(in path: String, _ source: String) throws -> ServerTrust {
            do throws(CertificateFileError) {
                return try ServerTrust(certificatesAt: URL(filePath: path))
            } catch {
                throw ValidationError("\(source) \(path): \(error.localizedDescription)")
            }
        }

        private static func isOfThisMachine(_ host: String) -> Bool {
            var (v4, v6) = (in_addr(), in6_addr())
            if inet_pton(AF_INET, host, &v4) == 1 { return host.hasPrefix("127.") }
            if inet_pton(AF_INET6, host.trimmingCharacters(in: ["[", "]"]), &v6) == 1 {
                return withUnsafeBytes(of: &v6) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
            }
            return host.lowercased() == "localhost"
        }

        private static func environment(_ name: String) -> String? {
            ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    extension GeoPoint {
        /// Parses latitude and longitude in degrees, for example `-33.8688,151.2093`.
        ///
        /// - Throws: a `ValidationError` for text that is not a location on earth.
        public init(argument: String) throws {
            let degrees = argument.split(separator: ",", omittingEmptySubsequences: false).map {
                Double($0.trimmingCharacters(in: .whitespaces))
            }
            guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1],
                (-90...90).contains(latitude), (-180...180).contains(longitude)
            else { throw ValidationError("A location must be like -33.8688,151.2093, not \(argument).") }
            self.init(latitude: latitude, longitude: longitude)
        }
    }
#endif

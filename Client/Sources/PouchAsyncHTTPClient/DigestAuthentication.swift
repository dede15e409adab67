#if AsyncHTTPClient
    import Crypto
    import Foundation
    import PouchNetwork

    /// Authentication at one server with a name and a password that is not sent (Digest, RFC 7616), with SHA-256 or
    /// MD5.
    ///
    /// The server's nonce is also used, and its uses counted, for later requests, until it is stale. Do not use this
    /// with URLSession on Linux, which never delivers such a challenge.
    public actor DigestAuthentication: AuthenticationHandler {
        private let server: Origin
        private let user: String
        private let password: String
        private let makeNonce: @Sendable () -> String
        private var nonce: DigestNonce?

        /// - Parameters:
        ///   - server: the only origin that receives proofs; the path does not matter.
        ///   - makeNonce: makes the client's nonces, which must be unpredictable.
        public init(
            user: String, password: String, server: URL, makeNonce: @escaping @Sendable () -> String = { randomNonce() }
        ) {
            self.server = Origin(server)
            self.user = user
            self.password = password
            self.makeNonce = makeNonce
        }

        public func authorization(for request: NetworkRequest) async -> String? {
            guard Origin(request.url) == server else { return nil }
            return nonce?.authorization(for: request, user: user, password: password)
        }

        public func authorization(
            answering challenges: [AuthenticationChallenge], to request: NetworkRequest
        ) async -> String? {
            guard Origin(request.url) == server else { return nil }
            for challenge in challenges {
                guard let fresh = DigestNonce(challenge, clientNonce: makeNonce()) else { continue }
                // A proof that was refused with a valid nonce means that the password is wrong.
                let isRefused = request.headers["Authorization"]?.hasPrefix("Digest ") == true
                guard !isRefused || fresh.followsStale else {
                    nonce = nil
                    return nil
                }
                nonce = fresh
                if let answer = nonce?.authorization(for: request, user: user, password: password) { return answer }
            }
            return nil
        }

        public func received(_ headers: HeaderFields, for request: NetworkRequest) async {
            guard Origin(request.url) == server, let info = headers["Authentication-Info"] else { return }
            let fields = AuthenticationChallenge.all(in: ["WWW-Authenticate": "Digest " + info])
            if let next = fields.first?.parameters["nextnonce"] { nonce?.replace(with: next) }
        }

        /// 128 random bits.
        public static func randomNonce() -> String {
            var generator = SystemRandomNumberGenerator()
            return (0..<2).map { _ in String(format: "%016lx", UInt(generator.next() as UInt64)) }.joined()
        }
    }

    extension DigestAuthentication: CustomReflectable {
        public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// A server's nonce, the parameters of its challenge, and the number of its uses (RFC 7616, section 3.4).
    private struct DigestNonce {
        private enum Algorithm: String {
            case sha256 = "SHA-256"
            case md5 = "MD5"

            func hash(_ text: String) -> String { hash(Data(text.utf8)) }

            func hash(_ data: Data) -> String {
                switch self {
                case .sha256: Self.hex(SHA256.hash(data: data))
                case .md5: Self.hex(Insecure.MD5.hash(data: data))
                }
            }

            private static func hex(_ digest: some Sequence<UInt8>) -> String {
                digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
        }

        /// Whether the server refused only the nonce, not the password.
        let followsStale: Bool
        private let realm: String
        private let algorithm: Algorithm
        /// With `-sess`, the nonces of the challenge remain part of the secret when the nonce is replaced.
        private let sessionNonces: (server: String, client: String)?
        private let qualities: [String]?
        private let opaque: String?
        private let hashesUser: Bool
        private let clientNonce: String
        private var nonce: String
        private var count = 0

        /// Returns nil for another scheme or an unknown algorithm.
        init?(_ challenge: AuthenticationChallenge, clientNonce: String) {
            let parameters = challenge.parameters
            guard challenge.scheme == "digest", let realm = parameters["realm"], let nonce = parameters["nonce"] else {
                return nil
            }
            var name = parameters["algorithm"]?.uppercased() ?? "MD5"
            let isSession = name.hasSuffix("-SESS")
            if isSession { name.removeLast(5) }
            guard let algorithm = Algorithm(rawValue: name) else { return nil }
            self.realm = realm
            self.nonce = nonce
            self.algorithm = algorithm
            self.clientNonce = clientNonce
            sessionNonces = isSession ? (nonce, clientNonce) : nil
            qualities = parameters["qop"]?.lowercased().split(separator: ",")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            opaque = parameters["opaque"]
            hashesUser = parameters["userhash"]?.lowercased() == "true"
            followsStale = parameters["stale"]?.lowercased() == "true"
        }

        mutating func replace(with next: String) {
            nonce = next
            count = 0
        }

        /// - Returns: nil if the server requires a proof of the body and the body is a file.
        mutating func authorization(for request: NetworkRequest, user: String, password: String) -> String? {
            var secret = algorithm.hash("\(user):\(realm):\(password)")
            if let sessionNonces {
                secret = algorithm.hash("\(secret):\(sessionNonces.server):\(sessionNonces.client)")
            }
            let target = request.url.requestTarget
            var proven = "\(request.method):\(target)"
            let quality: String?
            switch qualities {
            case nil: quality = nil
            case let offered? where offered.contains("auth"): quality = "auth"
            case let offered? where offered.contains("auth-int") && request.upload == nil:
                quality = "auth-int"
                proven += ":" + algorithm.hash(request.body ?? Data())
            default: return nil
            }
            count += 1
            let times = String(format: "%08x", count)
            let middle = quality.map { "\(nonce):\(times):\(clientNonce):\($0)" } ?? nonce
            let response = algorithm.hash("\(secret):\(middle):\(algorithm.hash(proven))")

            var parts = [userField(user), "realm=\(realm.quoted)", "nonce=\(nonce.quoted)", "uri=\(target.quoted)"]
            parts.append("response=\"\(response)\"")
            parts.append("algorithm=\(algorithm.rawValue)\(sessionNonces == nil ? "" : "-sess")")
            if let quality { parts += ["qop=\(quality)", "nc=\(times)", "cnonce=\(clientNonce.quoted)"] }
            if let opaque { parts.append("opaque=\(opaque.quoted)") }
            if hashesUser { parts.append("userhash=true") }
            return "Digest " + parts.joined(separator: ", ")
        }

        private func userField(_ user: String) -> String {
            if hashesUser { return "username=\"\(algorithm.hash("\(user):\(realm)"))\"" }
            if user.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return "username=\(user.quoted)" }
            // RFC 5987.
            let unreserved = CharacterSet(
                charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
            return "username*=UTF-8''" + (user.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")
        }
    }

    extension String {
        fileprivate var quoted: String {
            "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
    }

    extension URL {
        /// Path and query as sent.
        fileprivate var requestTarget: String {
            let path = path(percentEncoded: true)
            return (path.isEmpty ? "/" : path) + (query(percentEncoded: true).map { "?" + $0 } ?? "")
        }
    }
#endif

#if AsyncHTTPClient
    import Crypto
    import Foundation
    import PouchNetwork

    /// A server's nonce with what belongs to it, and how often it was used (RFC 7616, section 3.4).
    struct DigestNonce {
        enum Algorithm: String {
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

        /// Whether the server says that only the nonce was wrong.
        let followsStale: Bool
        private let realm: String
        private let algorithm: Algorithm
        /// With `-sess` the first nonces go into the secret, for as long as the challenge holds.
        private let sessionNonces: (server: String, client: String)?
        private let qualities: [String]?
        private let opaque: String?
        private let hashesUser: Bool
        private let clientNonce: String
        private var nonce: String
        private var count = 0

        /// - Returns: nil for a challenge of another kind, and for an algorithm that is not known here.
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

        mutating func renew(_ next: String) {
            nonce = next
            count = 0
        }

        /// - Returns: nil where the server wants the body of a file to be proven, too.
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
        /// Path and query as they stand on the wire.
        fileprivate var requestTarget: String {
            let path = path(percentEncoded: true)
            return (path.isEmpty ? "/" : path) + (query(percentEncoded: true).map { "?" + $0 } ?? "")
        }
    }
#endif

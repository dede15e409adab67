#if AsyncHTTPClient
    import Foundation
    import PouchNetwork

    /// A name and password for one server, proven to it without being sent (Digest, RFC 7616), with SHA-256 or MD5.
    ///
    /// The nonce that the server gave is used for later requests too, and counted, until it is stale. Not for URLSession
    /// on Linux, which never delivers such a challenge.
    public actor DigestAuthentication: AuthenticationHandler {
        private let server: Origin
        private let user: String
        private let password: String
        private let makeNonce: @Sendable () -> String
        private var nonce: DigestNonce?

        /// - Parameters:
        ///   - server: the only one that gets proofs; its path does not matter.
        ///   - makeNonce: makes the client's nonces, which nobody may guess.
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
                // Refused although the nonce was good: the password is wrong.
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
            if let next = fields.first?.parameters["nextnonce"] { nonce?.renew(next) }
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
#endif

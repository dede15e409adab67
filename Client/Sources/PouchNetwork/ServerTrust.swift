import Foundation

/// The rule for trusting a TLS server's certificate, in addition to its name and dates.
public enum ServerTrust: Sendable, Equatable {
    /// A chain to one of the system's roots.
    case system
    /// A chain to one of these certificates (X.509 in DER). The system's roots are not trusted.
    case certificates([Data])
    /// A chain to one of the system's roots that contains one of these public keys, each given as the SHA-256 of its
    /// SubjectPublicKeyInfo (RFC 7469, section 2.4).
    case publicKeys(Set<Data>)
}

/// The error of a transport that was not created because it cannot apply the requested `ServerTrust` on this platform.
public struct UnsupportedTrust: Error, Sendable, Equatable {
    /// A text for logs.
    public let explanation: String

    public init(_ explanation: String) {
        self.explanation = explanation
    }
}

/// The part of an X.509 certificate with its public key (RFC 5280, section 4.1). Its SHA-256 is a pin for
/// `ServerTrust.publicKeys`.
public enum SubjectPublicKeyInfo {
    /// - Returns: nil if the bytes are not a certificate in DER.
    public static func bytes(inCertificate der: Data) -> Data? {
        // Certificate and TBSCertificate are sequences. The second has an optional version, then serial number,
        // signature, issuer, validity and subject before the key.
        guard der.first == 0x30, var certificate = Element.content(of: der),
            var fields = Element.take(from: &certificate)?.content
        else { return nil }
        if fields.first == 0xA0 { _ = Element.take(from: &fields) }
        for _ in 0..<5 { guard Element.take(from: &fields) != nil else { return nil } }
        return Element.take(from: &fields)?.whole
    }

    private struct Element {
        let whole: Data
        let content: Data

        static func content(of der: Data) -> Data? {
            var rest = Data(der)
            return take(from: &rest)?.content
        }

        static func take(from rest: inout Data) -> Element? {
            let bytes = [UInt8](rest.prefix(6))
            guard bytes.count >= 2 else { return nil }
            var length = Int(bytes[1])
            var header = 2
            if length >= 0x80 {
                let count = length & 0x7F
                guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
                length = bytes[2..<(2 + count)].reduce(0) { $0 << 8 | Int($1) }
                header += count
            }
            guard rest.count >= header + length else { return nil }
            defer { rest = Data(rest.dropFirst(header + length)) }
            let whole = Data(rest.prefix(header + length))
            return Element(whole: whole, content: Data(whole.dropFirst(header)))
        }
    }
}

#if canImport(Security)
    import CryptoKit
    import Security

    extension ServerTrust {
        /// Whether the rule accepts a server. The check of the server's name is part of `trust`.
        func accepts(_ trust: SecTrust) -> Bool {
            switch self {
            case .system:
                return SecTrustEvaluateWithError(trust, nil)
            case .certificates(let certificates):
                let anchors = certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
                return SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess
                    && SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
                    && SecTrustEvaluateWithError(trust, nil)
            case .publicKeys(let hashes):
                guard SecTrustEvaluateWithError(trust, nil),
                    let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
                else { return false }
                return chain.contains { certificate in
                    SubjectPublicKeyInfo.bytes(inCertificate: SecCertificateCopyData(certificate) as Data)
                        .map { hashes.contains(Data(SHA256.hash(data: $0))) } ?? false
                }
            }
        }
    }
#endif

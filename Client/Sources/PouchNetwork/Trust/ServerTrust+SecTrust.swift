#if canImport(Security)
    import CryptoKit
    import Foundation
    import Security

    extension ServerTrust {
        /// Whether a server is trusted; the name that it must have is part of `trust`.
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

import COpenSSL
import Foundation
import PouchDomain
import PouchWire

/// SHA-256 and HMAC-SHA-256 by OpenSSL, which libpq brings along. swift-crypto would compile a second BoringSSL, next
/// to that of SwiftNIO.
struct CryptoDigests: Digests {
    func sha256(_ data: Data) -> Data {
        Self.digest { digest in data.withUnsafeBytes { SHA256($0.baseAddress, $0.count, digest) } }
    }

    func hmacSHA256(_ data: Data, key: Data) -> Data {
        // OpenSSL takes a nil pointer for a missing key, so an empty one needs an address too.
        withUnsafeBytes(of: UInt8(0)) { empty in
            Self.digest { digest in
                data.withUnsafeBytes { data in
                    key.withUnsafeBytes { key in
                        HMAC(
                            EVP_sha256(), key.baseAddress ?? empty.baseAddress, Int32(key.count),
                            data.baseAddress ?? empty.baseAddress, data.count, digest, nil)
                    }
                }
            }
        }
    }

    func isHMACSHA256(_ code: Data, of data: Data, key: Data) -> Bool {
        hmacSHA256(data, key: key).equalsInConstantTime(code)
    }

    /// - Parameter body: writes the digest, and returns nil if OpenSSL has no SHA-256.
    private static func digest(_ body: (UnsafeMutablePointer<UInt8>?) -> UnsafeMutablePointer<UInt8>?) -> Data {
        var digest = Data(count: Int(SHA256_DIGEST_LENGTH))
        let isDone = digest.withUnsafeMutableBytes { body($0.bindMemory(to: UInt8.self).baseAddress) != nil }
        precondition(isDone, "OpenSSL cannot compute SHA-256.")
        return digest
    }
}

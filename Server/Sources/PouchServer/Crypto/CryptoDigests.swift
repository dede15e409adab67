import Crypto
import Foundation
import PouchDomain

struct CryptoDigests: Digests {
    func sha256(_ data: Data) -> Data {
        Data(SHA256.hash(data: data))
    }

    func hmacSHA256(_ data: Data, key: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: data, using: SymmetricKey(data: key)))
    }

    func isHMACSHA256(_ code: Data, of data: Data, key: Data) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: data, using: SymmetricKey(data: key))
    }
}

import Foundation

/// The cryptographic sums that the rules need.
public protocol Digests: Sendable {
    func sha256(_ data: Data) -> Data
    func hmacSHA256(_ data: Data, key: Data) -> Data
    /// Takes as long for any wrong code.
    func isHMACSHA256(_ code: Data, of data: Data, key: Data) -> Bool
}

import HTTPTypes
import Hummingbird
import PouchWire

/// The name that the caller gives to a charge or a refund.
enum IdempotencyKey {
    /// - Throws: `SandboxProblem` when the header is missing, or no such key.
    static func header(of request: Request) throws -> String {
        guard let name = HTTPField.Name(HeaderName.idempotencyKey), let key = request.headers[name] else {
            throw SandboxProblem(.idempotencyKeyRequired)
        }
        return try checked(key)
    }

    /// - Throws: `SandboxProblem` unless it is 1 to 255 visible ASCII characters.
    static func checked(_ key: String) throws -> String {
        guard Limits.idempotencyKeyLength.contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw SandboxProblem(.invalidRequest, "A key must be 1 to 255 visible ASCII characters.") }
        return key
    }
}

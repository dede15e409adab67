import Foundation
import PouchJSON

/// Encodes page cursors: a payload and a code that authenticates it, both base64url, separated by a dot.
///
/// Cursors are opaque to clients. The server passes in the authentication function (an HMAC), since this module has no
/// cryptography.
public struct CursorCodec: Sendable {
    private let authenticate: @Sendable (Data) -> Data

    public init(authenticate: @escaping @Sendable (Data) -> Data) {
        self.authenticate = authenticate
    }

    public func encode(_ payload: Data) -> String {
        payload.base64URL + "." + authenticate(payload).base64URL
    }

    /// - Returns: the payload; nil for a cursor that `encode` did not create with the same key.
    public func decode(_ cursor: String) -> Data? {
        let halves = cursor.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count == 2,
            let payload = Data(base64URL: halves[0]),
            let code = Data(base64URL: halves[1]),
            code.equalsInConstantTime(authenticate(payload))
        else { return nil }
        return payload
    }
}

extension Data {
    /// Compares in a time that does not depend on the position of the first difference.
    public func equalsInConstantTime(_ other: Data) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import PouchDomain
import PouchWire

extension IdempotencyRecord.Request {
    /// What the idempotency key of a request stands for; nil without one.
    ///
    /// - Parameter body: its bytes, or what stands for them.
    /// - Throws: `RequestProblem` for a key that is too long or not visible ASCII.
    init?(_ request: Request, body: Data, principal: Principal, digests: any Digests) throws {
        guard let key = request.headers[.idempotencyKey] else { return nil }
        guard Limits.idempotencyKeyLength.contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw RequestProblem(.invalidHeader, "Idempotency-Key must be 1 to 255 visible ASCII characters.")
        }
        let head = Data("\(request.method.rawValue)\n\(request.uri.string)\n".utf8)
        self.init(ownerId: principal.ownerId, key: key, fingerprint: digests.sha256(head + body))
    }
}

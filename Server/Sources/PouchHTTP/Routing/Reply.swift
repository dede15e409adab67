import Foundation
import HTTPTypes
import PouchDomain
import PouchWire

/// A good answer before it is encoded.
struct Reply<Answer: Sendable>: Sendable {
    private let body: any Encodable & Sendable
    /// Without quotes.
    private let etag: String?

    init(_ answer: Answer, etag: String? = nil) where Answer: Encodable {
        body = answer
        self.etag = etag
    }

    /// What is answered to `Prefer: return=minimal` in place of the whole answer.
    init(minimal: any Encodable & Sendable, etag: String? = nil) {
        body = minimal
        self.etag = etag
    }

    func stored(status: Int) throws -> StoredAnswer {
        StoredAnswer(status: status, mediaType: "application/json", body: try WireJSON.encode(body), etag: etag)
    }
}

import Foundation
import HTTPTypes
import PouchDomain
import PouchWire

/// A good answer before it is encoded.
struct Reply<Answer: Sendable>: Sendable {
    let answer: Answer
    /// Without quotes.
    var etag: String?
    /// What is answered to `Prefer: return=minimal`.
    var minimal: (any Encodable & Sendable)?

    init(_ answer: Answer, etag: String? = nil, minimal: (any Encodable & Sendable)? = nil) {
        self.answer = answer
        self.etag = etag
        self.minimal = minimal
    }
}

extension Reply where Answer: Encodable {
    func stored(status: Int, prefersMinimal: Bool) throws -> StoredAnswer {
        let body =
            if prefersMinimal, let minimal { try WireJSON.encode(minimal) } else { try WireJSON.encode(answer) }
        return StoredAnswer(status: status, mediaType: "application/json", body: body, etag: etag)
    }
}

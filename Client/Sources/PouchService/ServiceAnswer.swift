import Foundation
import PouchNetwork
import PouchWire

/// A valid response, as raw data.
public struct ServiceAnswer: Sendable {
    /// The reason why a response from the cache may be out of date: the server could not be reached.
    public struct Staleness: Sendable, Equatable {
        /// The time at which the server sent the response or last confirmed it.
        public let asOf: Date
        /// The failure of the request for a newer response.
        public let cause: ServiceError
    }

    public let status: Int
    public let headers: HeaderFields
    /// JSON, except for assets and health; empty for 204 and 304.
    public let data: Data
    /// Whether the response comes from the cache, without a request or after a failed one (see `staleness`).
    public internal(set) var isFromCache = false
    /// nil for a new response, and for a cached one that the server allows to reuse.
    public internal(set) var staleness: Staleness?

    public var requestId: String? { headers[HeaderName.requestId] }
    public var etag: String? { headers[HeaderName.etag] }
}

extension ServiceAnswer: CustomStringConvertible, CustomReflectable {
    /// The response without its body, which may contain tokens.
    public var description: String { "\(status) [\(headers)] \(data.count) bytes" }

    public var customMirror: Mirror { Mirror(self, children: ["answer": description]) }
}

/// Optional additions to a call.
public struct CallOptions: Sendable, Equatable {
    /// Makes a POST take effect only once, even if it is sent several times; nil generates a new key.
    public var idempotencyKey: String?
    /// An ETag. The server refuses the write with 412 if its state is different.
    public var ifMatch: String?
    /// An ETag. The response is 304 without a body while it is current.
    public var ifNoneMatch: String?
    /// Whether the cache may answer the call and store the response; false for data that is stored elsewhere.
    public var usesCache: Bool
    /// The owner of the call, from `APIWrapper.owner`. If another owner is signed in, the call is not sent and throws
    /// `.sessionEnded`: an idempotency key is valid for only one owner.
    public var owner: String?
    /// Whether a session in the response is adopted at once; false if the caller will call `APIWrapper.adoptSession`.
    public var adoptsSession: Bool

    public init(
        idempotencyKey: String? = nil, ifMatch: String? = nil, ifNoneMatch: String? = nil, usesCache: Bool = true,
        owner: String? = nil, adoptsSession: Bool = true
    ) {
        self.idempotencyKey = idempotencyKey
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
        self.usesCache = usesCache
        self.owner = owner
        self.adoptsSession = adoptsSession
    }
}

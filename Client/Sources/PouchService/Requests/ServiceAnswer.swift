import Foundation
import PouchNetwork
import PouchWire

/// A good answer, as raw data.
public struct ServiceAnswer: Sendable {
    /// An answer from the cache that may no longer hold, since the server could not be asked.
    public struct Staleness: Sendable, Equatable {
        /// When the server gave the answer, or last said that it still holds.
        public let asOf: Date
        /// What kept the server from being asked.
        public let cause: ServiceError
    }

    public let status: Int
    public let headers: HeaderFields
    /// JSON, except of assets and health; empty at 204 and 304.
    public let data: Data
    /// Whether the cache had it: it was not asked for, or in vain (see `staleness`).
    public internal(set) var isFromCache = false
    /// nil for what the server answers now, or has said that it may be taken for that.
    public internal(set) var staleness: Staleness?

    public var requestId: String? { headers[HeaderName.requestId] }
    public var etag: String? { headers[HeaderName.etag] }
}

extension ServiceAnswer: CustomStringConvertible, CustomReflectable {
    /// Without the body, which may hold tokens.
    public var description: String { "\(status) [\(headers)] \(data.count) bytes" }

    public var customMirror: Mirror { Mirror(self, children: ["answer": description]) }
}

import Foundation
import PouchNetwork
import PouchWire

/// A good answer, as raw data.
public struct ServiceAnswer: Sendable {
    public let status: Int
    public let headers: HeaderFields
    /// JSON, except of assets and health; empty at 204 and 304.
    public let data: Data

    public var requestId: String? { headers[HeaderName.requestId] }
    public var etag: String? { headers[HeaderName.etag] }
}

import Foundation

/// An answer as it was given the first time.
public struct StoredAnswer: Sendable, Equatable {
    public let status: Int
    public let mediaType: String
    public let body: Data
    public let etag: String?

    public init(status: Int, mediaType: String, body: Data, etag: String? = nil) {
        self.status = status
        self.mediaType = mediaType
        self.body = body
        self.etag = etag
    }
}

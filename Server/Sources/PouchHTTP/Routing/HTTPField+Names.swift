import HTTPTypes
import PouchWire

extension HTTPField.Name {
    static let requestId = named(HeaderName.requestId)
    static let traceparent = named(HeaderName.traceparent)
    static let idempotencyKey = named(HeaderName.idempotencyKey)
    static let idempotentReplayed = named(HeaderName.idempotentReplayed)
    static let shouldRetry = named(HeaderName.shouldRetry)
    static let lastEventId = named(HeaderName.lastEventId)
    static let prefer = named(HeaderName.prefer)

    private static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("a constant that is a header's name") }
        return name
    }
}

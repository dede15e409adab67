/// Why a stream of events ended before the server said so.
public enum EventStreamError: Error, Sendable, Equatable {
    /// As many connections in a row failed as the retry policy has attempts; this is what the last one met.
    case network(NetworkError)
    /// A status other than 200 and 204. The body is left out where it has more than 128 KiB or does not come.
    case refused(NetworkResponse)
    /// A 200 with another media type.
    case notAnEventStream(mediaType: String?)
    /// One event has more bytes than allowed.
    case tooLarge(limit: Int)
}

/// One event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Equatable {
    /// The id that was sent last, with this event or before; empty when there was none.
    public let id: String
    /// `message` where the server names none.
    public let event: String
    /// Its lines, joined by `\n`.
    public let data: String

    public init(id: String = "", event: String = "message", data: String) {
        self.id = id
        self.event = event
        self.data = data
    }
}

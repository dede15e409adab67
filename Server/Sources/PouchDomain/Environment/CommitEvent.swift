/// A change that others wait for. A transaction announces it, and `Store.events()` yields it once it is durable.
public enum CommitEvent: Sendable, Equatable {
    /// An import can be carried out.
    case importReceived
    /// A ride was requested or has changed.
    case ride(id: String, version: Int)
}

extension CommitEvent {
    /// The form in which the event travels between processes.
    public var text: String {
        switch self {
        case .importReceived: "import"
        case .ride(let id, let version): "ride \(id) \(version)"
        }
    }

    /// - Returns: nil for a text of a later version of the server.
    public init?(text: String) {
        let words = text.split(separator: " ")
        switch (words.first, words.count) {
        case ("import", 1): self = .importReceived
        case ("ride", 3):
            guard let version = Int(words[2]) else { return nil }
            self = .ride(id: String(words[1]), version: version)
        default: return nil
        }
    }
}

/// An element of the stream of events.
public enum StoreNews: Sendable, Equatable {
    case event(CommitEvent)
    /// Events may have been lost, as when the connection to the database was: anything may have changed.
    case gap
}

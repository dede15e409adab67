import Foundation
import PouchNetwork

/// A server-sent event, as raw data.
public struct ServiceEvent: Sendable, Equatable {
    /// Behind which a stream goes on: the id that was sent last, with this event or before. Empty when there was none.
    public let id: String
    public let name: String
    public let data: Data

    init(_ event: ServerSentEvent) {
        id = event.id
        name = event.event
        data = Data(event.data.utf8)
    }
}

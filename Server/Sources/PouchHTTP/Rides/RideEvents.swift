import Foundation
import NIOCore
import PouchDomain
import PouchEntities
import PouchWire

/// What one listener has been told of a ride, and what there is to tell it next.
///
/// The id of an event is the number of statuses that the ride had been in by then, so that each can go on where another
/// process left off.
struct RideEvents {
    private var seen: Int
    private var isNew: Bool
    private var lastPosition: RideUpdate?

    /// - Parameter lastId: where an earlier stream stopped; nil for a new one, which begins with how things stand.
    init(after lastId: Int?) {
        seen = lastId ?? 0
        isNew = lastId == nil
    }

    /// Whether nothing will follow.
    func isOver(_ ride: RideRecord) -> Bool { ride.dueAt == nil && seen == ride.history.count }

    /// - Returns: nil when there is nothing new.
    mutating func next(_ ride: RideRecord, at now: Date) throws -> ByteBuffer? {
        let current = ride.ride(at: now)
        let count = ride.history.count
        // Nobody has seen what has not happened.
        if seen > count { isNew = true }
        var text = ""
        // Each status that was missed is an event of its own; of the driver only the present one is known.
        for index in min(isNew ? count - 1 : seen, count)..<count {
            let isCurrent = index == count - 1
            let update = RideUpdate(
                status: ride.history[index].status, driver: isCurrent ? current.driver : nil,
                etaSeconds: isCurrent ? current.etaSeconds : nil, history: Array(ride.history[...index]))
            text += "event: status\nid: \(index + 1)\ndata: \(try Self.json(update))\n\n"
        }
        let position = RideUpdate(driver: current.driver, etaSeconds: current.etaSeconds)
        if text.isEmpty, ride.dueAt != nil, position.driver != nil, position != lastPosition {
            text = "event: position\ndata: \(try Self.json(position))\n\n"
        }
        (isNew, seen, lastPosition) = (false, count, position)
        return text.isEmpty ? nil : ByteBuffer(string: text)
    }

    private static func json(_ update: RideUpdate) throws -> String {
        String(decoding: try WireJSON.encode(update), as: UTF8.self)
    }
}

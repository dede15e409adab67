import Foundation
import PouchDomain
import PouchEntities
import PouchWire

/// News about rides as server-sent events. The id of a status is the number of statuses that the ride had been in by then,
/// so that a stream can go on where one of another process left off; a position has none.
struct EncodedRideNews: RideNewsWriter {
    /// Of the driver only the present one is known, so a status that is past is told without.
    func status(_ ride: RideRecord, number: Int, at now: Date) throws -> Data {
        let current = number == ride.history.count ? ride.ride(at: now) : nil
        let update = RideUpdate(
            status: ride.history[number - 1].status, driver: current?.driver, etaSeconds: current?.etaSeconds,
            history: Array(ride.history.prefix(number)))
        return try event("status", "id: \(number)\n", update)
    }

    func position(_ ride: RideRecord, at now: Date) throws -> Data {
        let current = ride.ride(at: now)
        return try event("position", "", RideUpdate(driver: current.driver, etaSeconds: current.etaSeconds))
    }

    private func event(_ name: String, _ id: String, _ update: RideUpdate) throws -> Data {
        Data("event: \(name)\n\(id)data: ".utf8) + (try WireJSON.encode(update)) + Data("\n\n".utf8)
    }
}

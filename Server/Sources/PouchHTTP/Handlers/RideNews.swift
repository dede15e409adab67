import Foundation
import PouchDomain
import PouchEntities
import PouchJSON

/// The updates of rides, encoded as server-sent events.
///
/// The id of a status event is the number of statuses so far, so that another process can resume a stream. A position
/// event has no id.
struct EncodedRideNews: RideNewsWriter {
    /// A past status has no driver, because only the current one is known.
    func status(_ ride: RideRecord, number: Int, at now: Date) throws -> Data {
        let current = number == ride.history.count ? ride.ride(at: now) : nil
        let update = RideUpdate(
            status: ride.history[number - 1].status, driver: current?.driver, etaSeconds: current?.etaSeconds,
            history: Array(ride.history.prefix(number)))
        return try serverSentEvent("status", id: number, update)
    }

    func position(_ ride: RideRecord, at now: Date) throws -> Data {
        let current = ride.ride(at: now)
        return try serverSentEvent(
            "position", id: nil, RideUpdate(driver: current.driver, etaSeconds: current.etaSeconds))
    }
}

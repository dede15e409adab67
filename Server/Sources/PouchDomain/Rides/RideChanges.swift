import Foundation
import PouchEntities

extension Repositories {
    /// Cancels a ride before the pick-up, for its rider or order; throws `IllegalRideTransition` after it.
    package func cancel(_ ride: inout RideRecord, at now: Date) throws {
        try ride.enter(.cancelledByRider, at: now)
        try release(&ride, at: now)
        ride.dueAt = nil
        try save(&ride)
    }

    /// Frees the driver, who waits at its current location and is not asked for this ride again.
    package func release(_ ride: inout RideRecord, at time: Date) throws {
        guard let engagement = ride.engagement else { return }
        try drivers.release(id: engagement.driverId, rideId: ride.id, at: engagement.location(at: time))
        ride.refusals.append(engagement.driverId)
        ride.engagement = nil
    }

    /// Writes the ride under its next version.
    package func save(_ ride: inout RideRecord) throws {
        guard try rides.update(ride) else { throw TransactionConflict() }
        ride.version += 1
        if ride.dueAt == nil { try rides.deleteDeserted(id: ride.id) }
    }

    /// Cancels a ride unless its pick-up has taken place.
    func cancelRide(id: String, at now: Date) throws {
        guard var ride = try rides.ride(id: id, locking: true), ride.status.isCancellable else { return }
        try cancel(&ride, at: now)
    }

    /// Cancels the active ride of an account unless its pick-up has taken place, and deletes the ended rides, including
    /// those of its orders. A ride after the pick-up is deleted when it ends.
    func deleteRides(ownerId: String, at now: Date) throws {
        // The active ride is locked in any case: it may be about to end.
        if let id = try rides.active(riderId: ownerId)?.id { try cancelRide(id: id, at: now) }
        try rides.deleteEnded(ownerId: ownerId)
    }
}

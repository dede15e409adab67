import Foundation
import PouchDomain
import PouchEntities

/// Advances rides through their statuses by the clock. A ride's next step depends only on its record, so any process
/// may take it, and overdue steps are caught up.
///
/// A transaction locks an order, then its ride, then one driver, and skips drivers that others have locked, so that
/// transactions do not deadlock.
struct Dispatcher {
    /// The real time of a driver search, in seconds.
    private static let searchTime = 120.0
    /// The time between two searches, in seconds.
    private static let pause = 5.0
    /// The time before the pick-up at which the driver counts as arriving, in seconds.
    private static let lead = 30.0
    /// The time at the pick-up, in seconds.
    private static let boarding = 15.0

    let city: CitySettings
    let now: Date
    let repositories: any Repositories

    private var streets: CityStreets { CityStreets(city) }

    /// Takes the due steps and saves the ride. Stops after releasing a driver: the next driver belongs to another
    /// transaction, because of the lock order.
    func advance(_ ride: inout RideRecord) throws {
        let before = ride
        while let due = ride.dueAt, due <= now, ride.refusals == before.refusals {
            switch ride.status {
            case .requested where ride.engagement == nil: try search(&ride)
            case .requested: try answer(&ride, at: due)
            case .accepted: try approach(&ride, at: due)
            case .arriving: try pickUp(&ride, at: due)
            case .inProgress: try complete(&ride, at: due)
            case .completed, .cancelledByRider, .cancelledByDriver, .noDriversAvailable, .unrecognised:
                ride.dueAt = nil
            }
        }
        if ride != before { try repositories.save(&ride) }
    }

    // MARK: Steps

    /// Offers the ride to the nearest free driver.
    private func search(_ ride: inout RideRecord) throws {
        let pickup = ride.waypoints.pickupLocation
        let search = DriverSearch(repositories.drivers)
        if let driver = try search.claimNearest(ride.species, to: pickup, without: ride.refusals, rideId: ride.id) {
            return engage(driver, for: &ride)
        }
        let waited = now.timeIntervalSince(ride.enteredAt)
        if waited < streets.seconds(Self.searchTime),
            try search.mayCome(ride.species, to: pickup, without: ride.refusals)
        {
            ride.dueAt = now.addingTimeInterval(streets.seconds(Self.pause))
        } else {
            try ride.enter(.noDriversAvailable, at: now)
            ride.dueAt = nil
        }
    }

    private func engage(_ driver: DriverRecord, for ride: inout RideRecord) {
        let pickup = ride.waypoints.pickupLocation
        let setsOffAt = now.addingTimeInterval(streets.seconds(driver.temper.reaction))
        let travel = streets.travelTime(from: driver.location, to: pickup, by: ride.species)
        ride.engagement = .init(
            driverId: driver.id, name: driver.name, rating: driver.rating, from: driver.location,
            setsOffAt: setsOffAt, to: pickup, arrivesAt: setsOffAt.addingTimeInterval(travel),
            givesUpAt: driver.temper.givesUp(rideId: ride.id, driverId: driver.id).map {
                setsOffAt.addingTimeInterval(travel * $0)
            })
        ride.dueAt = setsOffAt
    }

    private func answer(_ ride: inout RideRecord, at due: Date) throws {
        guard let engagement = ride.engagement else { return }
        let temper = try repositories.drivers.driver(id: engagement.driverId)?.temper
        guard temper?.accepts(rideId: ride.id, driverId: engagement.driverId) == true else {
            return try repositories.release(&ride, at: due)
        }
        try ride.enter(.accepted, at: due)
        let almostThere = engagement.arrivesAt.addingTimeInterval(-streets.seconds(Self.lead))
        ride.dueAt = engagement.givesUpAt ?? max(due, almostThere)
    }

    private func approach(_ ride: inout RideRecord, at due: Date) throws {
        guard ride.engagement?.givesUpAt == nil else {
            try ride.enter(.cancelledByDriver, at: due)
            try repositories.release(&ride, at: due)
            let search = DriverSearch(repositories.drivers)
            if try search.mayCome(ride.species, to: ride.waypoints.pickupLocation, without: ride.refusals) {
                try ride.enter(.requested, at: due)
            } else {
                ride.dueAt = nil
            }
            return
        }
        try ride.enter(.arriving, at: due)
        ride.dueAt = ride.engagement?.arrivesAt.addingTimeInterval(streets.seconds(Self.boarding))
    }

    private func pickUp(_ ride: inout RideRecord, at due: Date) throws {
        try ride.enter(.inProgress, at: due)
        let (start, end) = (ride.waypoints.pickupLocation, ride.waypoints.dropoffLocation)
        let arrivesAt = due.addingTimeInterval(streets.travelTime(from: start, to: end, by: ride.species))
        ride.engagement = ride.engagement.map {
            .init(
                driverId: $0.driverId, name: $0.name, rating: $0.rating, from: start, setsOffAt: due, to: end,
                arrivesAt: arrivesAt, givesUpAt: nil)
        }
        ride.dueAt = arrivesAt
    }

    private func complete(_ ride: inout RideRecord, at due: Date) throws {
        try ride.enter(.completed, at: due)
        if let engagement = ride.engagement {
            try repositories.drivers.release(id: engagement.driverId, rideId: ride.id, at: engagement.to)
        }
        ride.dueAt = nil
    }
}

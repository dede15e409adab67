import PouchEntities
import PouchTerminal

/// How a ride is told.
enum RideText {
    /// How it stands.
    static func status(_ ride: Ride) -> String {
        let name = ride.driver?.name ?? "A kangaroo"
        return switch ride.status {
        case .requested: "Your ride is asked for."
        case .accepted: "\(name) is on the way to you\(time(ride))."
        case .arriving: "\(name) is almost there."
        case .inProgress: "You are on your way\(time(ride))."
        case .completed: "You are there. Thank you for riding with us!"
        case .cancelledByRider: "You cancelled the ride."
        case .cancelledByDriver: "\(name) gave up, and nobody else came."
        case .noDriversAvailable: "No kangaroo is free just now."
        case .unrecognised: "This program is too old to tell how your ride stands."
        }
    }

    /// Who comes, and how far it is from here; nil where nobody does.
    static func driver(_ ride: Ride, _ map: CityMap) -> String? {
        guard let driver = ride.driver else { return nil }
        let rating = "\((driver.rating * 10).rounded() / 10) of 5 stars"
        let isComing = [.accepted, .arriving].contains(ride.status)
        let distance = isComing ? ", \(DistanceText.text(map.metres(to: driver.location))) away" : ""
        return "\(driver.name), \(rating)\(distance)."
    }

    private static func time(_ ride: Ride) -> String {
        ride.etaMinutes.map { ", \($0) min to go" } ?? ""
    }
}

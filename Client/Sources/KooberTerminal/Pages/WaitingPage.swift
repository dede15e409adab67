import KooberScreens
import PouchEntities
import PouchTerminal

extension Page {
    static func waiting(_ screen: WaitingScreen, _ context: PageContext) -> Page {
        let ride = screen.ride
        let map = CityMap(
            pickup: ride.waypoints.pickupLocation, dropoff: ride.waypoints.dropoffLocation, driver: ride.driver,
            trail: context.state.trail.points)
        let content = KooberScreen(.waitingForPickup(screen))
        var buttons: [FormElement] = []
        if content.offers(.cancelRide) {
            let question = PageQuestion(text: "Cancel the ride?", yes: "cancel it", no: "keep it")
            buttons.append(.button("cancel", "Cancel the ride") { context.ask(question, .cancelRide) })
        }
        if content.offers(.startNewRide) { buttons.append(context.button("new", "Start a new ride", .startNewRide)) }
        let isSearching = ride.status == .requested
        let silence = context.state.isSilent ? "No update for a while" : nil
        return Page(
            title: "Your ride",
            elements: [
                .text(StyledText(ride.statusText, .bold)), .text(StyledText(ride.driverText(on: map) ?? "", .dim)),
                .text(StyledText("It costs \(ride.fare.text).", .dim)),
            ] + buttons,
            map: map, rows: 5,
            activity: screen.isCancelling ? "Cancelling the ride" : isSearching ? "Looking for a kangaroo" : silence,
            isEnabled: !screen.isCancelling, hints: buttons.isEmpty ? [] : [("Enter", "choose")])
    }
}

extension Ride {
    fileprivate var statusText: String {
        let name = driver?.name ?? "A kangaroo"
        let time = etaMinutes.map { ", \($0) min to go" } ?? ""
        return switch status {
        case .requested: "Your ride is requested."
        case .accepted: "\(name) is on the way to you\(time)."
        case .arriving: "\(name) is almost there."
        case .inProgress: "You are on your way\(time)."
        case .completed: "You have arrived. Thank you for riding with us!"
        case .cancelledByRider: "You cancelled the ride."
        case .cancelledByDriver: "\(name) cancelled, and no other kangaroo was free."
        case .noDriversAvailable: "No kangaroo is free just now."
        case .unrecognised: "This version of koober does not know the status of your ride. Please update it."
        }
    }

    /// The driver with the distance to the pick-up, or nil without a driver.
    fileprivate func driverText(on map: CityMap) -> String? {
        guard let driver else { return nil }
        let rating = "\((driver.rating * 10).rounded() / 10) of 5 stars"
        let isComing = [.accepted, .arriving].contains(status)
        let distance = isComing ? ", \(DistanceText.text(map.metres(to: driver.location))) away" : ""
        return "\(driver.name), \(rating)\(distance)."
    }
}

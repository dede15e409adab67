import KooberScreens
import PouchEntities
import PouchTerminal

extension Page {
    static func waiting(_ screen: WaitingScreen, _ context: PageContext) -> Page {
        let ride = screen.ride
        let map = CityMap(
            pickup: ride.waypoints.pickupLocation, dropoff: ride.waypoints.dropoffLocation, driver: ride.driver,
            trail: context.state.trail.points)
        let fare = "\(ride.fare.decimal) \(ride.fare.currency.code)"
        let content = KooberScreen(.waitingForPickup(screen))
        var buttons: [FormElement] = []
        if content.offers(.cancelRide) {
            buttons.append(
                .button("cancel", "Cancel the ride") {
                    context.ask("Cancel the ride?", "cancel it", .cancelRide)
                })
        }
        if content.offers(.startNewRide) { buttons.append(context.button("new", "Start a new ride", .startNewRide)) }
        let isSearching = ride.status == .requested
        let silence = context.state.isSilent ? "No news of it for a while" : nil
        return Page(
            title: "Your ride",
            elements: [
                .text(StyledText(RideText.status(ride), .bold)),
                .text(StyledText(RideText.driver(ride, map) ?? "", .dim)), .text(StyledText("It costs \(fare).", .dim)),
            ] + buttons,
            map: map, rows: 5,
            activity: screen.isCancelling ? "Cancelling the ride" : isSearching ? "Looking for a kangaroo" : silence,
            isEnabled: !screen.isCancelling, hints: buttons.isEmpty ? [] : [("Enter", "choose")])
    }
}

import KooberScreens
import PouchEntities
import PouchTerminal

extension Page {
    static func pickMeUp(_ screen: PickMeUpScreen, _ context: PageContext) -> Page {
        let map = CityMap(pickup: screen.pickupLocation, dropoff: screen.dropoffLocation?.location)
        return switch screen.step {
        case .initial:
            Page(
                title: "Where to?",
                elements: [.blank, context.button("where to", "Where to?", .chooseDropoff)], map: map, rows: 3,
                hints: [("Enter", "choose")])
        case .selectDropoffLocation(let picker): .dropoff(picker, map, context)
        case .selectRideOption(let picker): .rideOption(picker, to: screen.dropoffLocation, map, context)
        case .confirmRequest(let picker): .rideOption(picker, to: screen.dropoffLocation, map, context)
        case .sendingRideRequest:
            Page(title: "Your ride", map: map, activity: "Asking for the ride", isEnabled: false)
        }
    }
}

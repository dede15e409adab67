import KooberScreens
import KooberTexts
import PouchEntities
import PouchTerminal

extension Page {
    static func waiting(_ screen: WaitingScreen, _ context: PageContext) -> Page {
        let ride = screen.ride
        let map = CityMap(
            pickup: ride.pickup.location, dropoff: ride.dropoff.location, driver: ride.driver,
            trail: context.state.memory.trail.points)
        let content = KooberScreen(.waitingForPickup(screen))
        var buttons: [FormElement] = []
        if content.offers(.cancelRide) {
            let question = PageQuestion(text: .askToCancelRide, yes: .cancelIt, no: .keepIt)
            buttons.append(
                .button("cancel", context.text(.cancelRide)) { context.ask(question, .cancelRide) })
        }
        if content.offers(.startNewRide) { buttons.append(context.button("new", .startNewRide, .startNewRide)) }
        let activity: Phrase? =
            switch (screen.isCancelling, ride.status) {
            case (true, _): .cancellingRide
            case (false, .requested): .lookingForKangaroo
            default: context.state.isSilent ? .noUpdate : nil
            }
        return Page(
            title: context.text(.yourRide),
            elements: [
                .text(StyledText(context.text(ride.statusText), .bold)),
                .text(StyledText("\(context.text(ride.pickup.name)) → \(context.text(ride.dropoff.name))")),
                .text(StyledText(ride.driver.map { context.text($0.text) } ?? "", .dim)),
                .text(StyledText(context.text(ride.fare), .dim)),
            ] + buttons,
            map: map, rows: 6, activity: activity.map(context.text), isEnabled: !screen.isCancelling,
            hints: buttons.isEmpty ? [] : [("Enter", context.text(.choose))])
    }
}

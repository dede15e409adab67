import KooberScreens
import PouchEntities
import PouchTerminal

extension Page {
    /// With a button to confirm, once an option is selected.
    static func rideOption(
        _ picker: RideOptionPicker, to dropoff: NamedLocation?, _ map: CityMap, _ context: PageContext
    ) -> Page {
        let options = picker.segments.map { segment in
            FormElement.row(
                "option \(segment.id)",
                StyledText(segment.isSelected ? "● " : "○ ", segment.isSelected ? .green : .dim)
                    + StyledText(segment.title, segment.isSelected ? .bold : .plain)
                    + StyledText("  for \(segment.capacity)", .dim),
                StyledText(text(segment.fare))
            ) {
                context.form.focus(on: "confirm")
                context.want(.selectRideOption(segment.id))
            }
        }
        let selected = picker.segments.first(where: \.isSelected)
        let confirm = selected.map {
            [context.button("confirm", "Ride by \($0.title) for \(text($0.fare))", .confirmRide)]
        }
        let nothing =
            context.state.isUnknown
            ? "The rides could not be looked up. Choose the place again to try again."
            : "No rides are offered from here just now."
        let isNothing = options.isEmpty && !picker.isLoading
        let goal = dropoff.map { "To \($0.name), \(DistanceText.text(map.metres(to: $0.location))) as the crow flies." }
        return Page(
            title: selected == nil ? "Which kangaroo?" : "Your ride",
            elements: [.text(StyledText(goal ?? ""))]
                + (isNothing ? [.text(StyledText(nothing))] : options) + (confirm ?? [])
                + [context.button("other", "Somewhere else", .chooseDropoff)],
            map: map, rows: 7, activity: picker.isLoading ? "Looking for kangaroos" : nil,
            hints: [("Enter", "choose"), ("↑↓", "move")])
    }

    private static func text(_ fare: Money) -> String { "\(fare.decimal) \(fare.currency.code)" }
}

import KooberScreens
import PouchEntities
import PouchTerminal

extension Page {
    /// The id of the search field.
    static let queryField = "query"

    static func pickMeUp(_ screen: PickMeUpScreen, _ context: PageContext) -> Page {
        let map = CityMap(pickup: screen.pickupLocation, dropoff: screen.dropoffLocation?.location)
        return switch screen.step {
        case .initial:
            Page(
                title: "Where to?",
                elements: [.blank, context.button("where to", "Where to?", .chooseDropoff)], map: map, rows: 3,
                hints: [("Enter", "choose")])
        case .selectDropoffLocation(let picker): .dropoff(picker, map, context)
        case .selectRideOption(let picker), .confirmRequest(let picker):
            .rideOption(picker, to: screen.dropoffLocation, map, context)
        case .sendingRideRequest:
            Page(title: "Your ride", map: map, activity: "Requesting the ride", isEnabled: false)
        }
    }

    private static func dropoff(_ picker: DropoffPicker, _ map: CityMap, _ context: PageContext) -> Page {
        let form = context.form
        var map = map
        map.found = picker.results
        let results = picker.results.enumerated().map { index, place in
            FormElement.row(
                "\(index) \(place.name)", StyledText(place.name),
                StyledText(DistanceText.text(map.metres(to: place.location)), .dim)
            ) { context.perform(.selectDropoff(place.name)) }
        }
        let field = form.field(queryField, "Where to?") {
            // Enter moves on to the first result if the results are those of the text, and searches otherwise.
            guard form[queryField] == picker.query, !picker.isSearching, let first = picker.results.first else {
                return context.perform(.searchDropoffs(form[queryField]))
            }
            form.focus(on: "0 \(first.name)")
        }
        let nothing =
            context.state.hasFailed
            ? "The places could not be loaded. Press Enter in the field to try again." : "No place has this name."
        let isNothing = results.isEmpty && !picker.isSearching
        return Page(
            title: "Where to?",
            elements: [.blank, field, .blank] + (isNothing ? [.text(StyledText(nothing))] : results) + [
                .blank, context.button("cancel", "Cancel", .cancelDropoff),
            ],
            map: map, isList: true, activity: picker.isSearching ? "Searching" : nil,
            hints: [("Enter", "choose"), ("↑↓", "move")])
    }

    /// Has a button to confirm once an option is selected.
    private static func rideOption(
        _ picker: RideOptionPicker, to dropoff: NamedLocation?, _ map: CityMap, _ context: PageContext
    ) -> Page {
        let options = picker.segments.map { segment in
            FormElement.row(
                "option \(segment.id)",
                StyledText(segment.isSelected ? "● " : "○ ", segment.isSelected ? .green : .dim)
                    + StyledText(segment.title, segment.isSelected ? .bold : .plain)
                    + StyledText("  for \(segment.capacity)", .dim),
                StyledText(segment.fare.text)
            ) {
                context.form.focus(on: "confirm")
                context.perform(.selectRideOption(segment.id))
            }
        }
        let selected = picker.segments.first(where: \.isSelected)
        let confirm = selected.map {
            [context.button("confirm", "Ride by \($0.title) for \($0.fare.text)", .confirmRide)]
        }
        let nothing =
            context.state.hasFailed
            ? "The rides could not be loaded. Choose the destination again."
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
}

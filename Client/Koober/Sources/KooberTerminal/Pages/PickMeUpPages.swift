import KooberScreens
import KooberTexts
import PouchEntities
import PouchTerminal

extension Page {
    /// The id of the search field.
    static let queryField = "query"
    static let confirmButton = "confirm"

    static func pickMeUp(_ screen: PickMeUpScreen, _ context: PageContext) -> Page {
        let map = CityMap(pickup: screen.pickup.location, dropoff: screen.dropoff?.location)
        var page: Page =
            switch screen.step {
            case .initial:
                Page(
                    title: context.text(.whereTo),
                    elements: [
                        .text(StyledText("\(context.text(.pickup)): \(context.text(screen.pickup.name))", .dim)),
                        context.button("where to", .whereTo, .chooseDropoff),
                    ], map: map, rows: 3, hints: [("Enter", context.text(.choose))])
            case .selectDropoffLocation(let picker): .dropoff(picker, map, context)
            case .selectRideOption(let picker), .confirmRequest(let picker):
                .rideOption(picker, to: screen.dropoff, map, context)
            case .sendingRideRequest:
                Page(
                    title: context.text(.yourRide), map: map, activity: context.text(.requestingRide),
                    isEnabled: false)
            }
        if !screen.showsMap, !page.elements.isEmpty { page.hasRoomForMap = false }
        return page
    }

    private static func dropoff(_ picker: DropoffPicker, _ map: CityMap, _ context: PageContext) -> Page {
        let form = context.form
        var map = map
        map.found = picker.results.map { NamedLocation(name: context.text($0.name), location: $0.location) }
        let results = picker.results.enumerated().map { index, place in
            let name = context.text(place.name)
            return FormElement.row(
                "\(index) \(name)", StyledText(name), StyledText(place.distance.map(context.text) ?? "", .dim)
            ) { context.perform(.selectDropoff(name)) }
        }
        let field = form.field(queryField, context.text(.whereTo)) {
            // Enter moves to the first result if the results belong to the text, and searches otherwise.
            guard form[queryField] == picker.query, !picker.isSearching, let first = map.found.first else {
                return context.perform(.searchDropoffs(form[queryField]))
            }
            form.focus(on: "0 \(first.name)")
        }
        let nothing: Phrase = context.state.memory.hasFailed ? .placesNotLoaded : .noPlaceFound
        let isNothing = results.isEmpty && !picker.isSearching
        return Page(
            title: context.text(.whereTo),
            elements: [.blank, field, .blank] + (isNothing ? [.text(StyledText(context.text(nothing)))] : results) + [
                .blank, context.button("cancel", .cancel, .cancelDropoff),
            ],
            map: map, isList: true, hasRoomForMap: false, activity: picker.isSearching ? context.text(.searching) : nil,
            hints: context.choiceHints)
    }

    /// Has a button to confirm once an option is selected.
    private static func rideOption(
        _ picker: RideOptionPicker, to dropoff: DisplayablePlace?, _ map: CityMap, _ context: PageContext
    ) -> Page {
        let drawn = RideOptionRow.drawnHeight(of: picker.options.count) <= context.rowsNextToMap
        let options = picker.options.map { option in
            FormElement(id: "option \(option.id)") { isFocused in
                RideOptionRow(option, context, isFocused: isFocused, isDrawn: drawn)
            } press: { key in
                guard key == .enter else { return false }
                context.form.focus(on: confirmButton)
                context.perform(.selectRideOption(option.id))
                return true
            }
        }
        let confirm = picker.selected.map { [context.button(confirmButton, $0.confirmation, .confirmRide)] }
        let nothing: Phrase = context.state.memory.hasFailed ? .ridesNotLoaded : .noRidesOffered
        let isNothing = options.isEmpty && !picker.isLoading
        return Page(
            title: context.text(picker.selected == nil ? .whichKangaroo : .yourRide),
            elements: [.text(StyledText(dropoff?.goal.map(context.text) ?? ""))]
                + (isNothing ? [.text(StyledText(context.text(nothing)))] : options) + (confirm ?? [])
                + [context.button("other", .somewhereElse, .chooseDropoff)],
            map: map, rows: 7, activity: picker.isLoading ? context.text(.lookingForRides) : nil,
            hints: context.choiceHints)
    }
}

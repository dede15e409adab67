import KooberScreens
import PouchEntities
import PouchTerminal

extension Page {
    /// The field with what is searched for.
    static let queryField = "query"

    static func dropoff(_ picker: DropoffPicker, _ map: CityMap, _ context: PageContext) -> Page {
        let form = context.form
        var map = map
        map.found = picker.results
        let results = picker.results.enumerated().map { index, place in
            FormElement.row(
                "\(index) \(place.name)", StyledText(place.name),
                StyledText(DistanceText.text(map.metres(to: place.location)), .dim)
            ) { context.want(.selectDropoff(place.name)) }
        }
        let field = form.field(queryField, "Where to?") {
            // What is shown is the answer already: on to the first place.
            guard form[queryField] == picker.query, !picker.isSearching, let first = picker.results.first else {
                return context.want(.searchDropoffs(form[queryField]))
            }
            form.focus(on: "0 \(first.name)")
        }
        let nothing =
            context.state.isUnknown
            ? "The places could not be looked up. Enter in the field looks again." : "Nothing of that name is known."
        let isNothing = results.isEmpty && !picker.isSearching
        return Page(
            title: "Where to?",
            elements: [.blank, field, .blank] + (isNothing ? [.text(StyledText(nothing))] : results) + [
                .blank, context.button("cancel", "Cancel", .cancelDropoff),
            ],
            map: map, isList: true, activity: picker.isSearching ? "Searching" : nil,
            hints: [("Enter", "choose"), ("↑↓", "move")])
    }
}

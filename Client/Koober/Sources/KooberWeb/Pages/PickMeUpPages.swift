import KooberScreens
import KooberTexts
import PouchEntities

extension PageContent {
    static func pickMeUp(_ screen: PickMeUpScreen, _ context: PageContext, isCovered: Bool) -> PageContent {
        let map = CityMap(pickup: screen.pickup, dropoff: screen.dropoff)
        var page: PageContent
        switch screen.step {
        case .initial:
            page = PageContent(title: context.text(.whereTo))
            page.html = tag("div", ["class": "start"]) {
                tag("p", ["class": "hint"], "\(context.text(.pickup)): \(context.text(screen.pickup.name))")
                context.button(.chooseDropoff, context.text(.whereTo), style: "primary")
            }
            page.map = map.svg(context)
        case .selectDropoffLocation(let picker):
            page = dropoff(picker, context, isCovered: isCovered)
            var found = map
            found.found = picker.results
            page.map = found.svg(context)
        case .selectRideOption(let picker), .confirmRequest(let picker):
            page = rideOption(picker, to: screen.dropoff, context, isCovered: isCovered)
            page.map = map.svg(context)
        case .sendingRideRequest:
            page = PageContent(title: context.text(.yourRide), busy: .requestingRide, context)
            page.map = map.svg(context)
        }
        return page
    }

    private static func dropoff(_ picker: DropoffPicker, _ context: PageContext, isCovered: Bool) -> PageContent {
        var page = PageContent(title: context.text(.whereTo), busy: picker.isSearching ? .searching : nil, context)
        if !picker.isSearching, picker.results.isEmpty {
            page.status = context.text(context.memory.screens.hasFailed ? .placesNotLoaded : .noPlaceFound)
        }
        page.hasFocus = true
        page.html = tag("div", ["class": "dropoff"]) {
            tag("search") {
                context.form(.searchDropoffs(""), ("search", "search")) {
                    // Hidden, because the heading already shows this text.
                    tag("label", ["for": "query", "class": "unseen"], context.text(.whereTo))
                    tag("div", ["class": "row"]) {
                        void(
                            "input",
                            [
                                "id": "query", "name": IntentionFields.value, "type": "search", "value": picker.query,
                                "autocomplete": "off", "autofocus": isCovered ? nil : "",
                            ])
                        tag("button", ["id": "search-now"], context.language.text(.search))
                    }
                }
            }
            if !picker.results.isEmpty {
                tag("ul", ["class": "places", "aria-label": context.language.text(.places)]) {
                    for (index, place) in picker.results.enumerated() { result(place, index, context) }
                }
            }
            context.button(.cancelDropoff, context.text(.cancel), style: "quiet", isForEscape: true)
        }
        return page
    }

    private static func result(_ place: DisplayablePlace, _ index: Int, _ context: PageContext) -> HTML {
        let name = context.text(place.name)
        return tag("li") {
            context.form(.selectDropoff(name)) {
                tag("button", ["id": "place-\(index)", "class": "choice"]) {
                    tag("span", ["class": "name"], name)
                    if let distance = place.distance { tag("span", ["class": "fact"], context.text(distance)) }
                }
            }
        }
    }

    /// Has a button to confirm once an option is selected.
    private static func rideOption(
        _ picker: RideOptionPicker, to dropoff: DisplayablePlace?, _ context: PageContext, isCovered: Bool
    ) -> PageContent {
        let selected = picker.selected
        var page = PageContent(
            title: context.text(selected == nil ? .whichKangaroo : .yourRide),
            busy: picker.isLoading ? .lookingForRides : nil, context)
        if picker.options.isEmpty, !picker.isLoading {
            page.status = context.text(context.memory.screens.hasFailed ? .ridesNotLoaded : .noRidesOffered)
        }
        page.hasFocus = selected != nil
        page.html = tag("div", ["class": "options"]) {
            if let goal = dropoff?.goal { tag("p", ["class": "hint"], context.text(goal)) }
            if !picker.options.isEmpty {
                tag("ul", ["class": "rides", "aria-label": context.language.text(.options)]) {
                    for (index, option) in picker.options.enumerated() { choice(option, index, context) }
                }
            }
            if let selected {
                context.button(
                    .confirmRide, context.text(selected.confirmation), style: "primary", hasFocus: !isCovered)
            }
            context.button(.chooseDropoff, context.text(.somewhereElse), style: "quiet", isForEscape: true)
        }
        return page
    }

    private static func choice(_ option: DisplayableRideOption, _ index: Int, _ context: PageContext) -> HTML {
        tag("li") {
            context.form(.selectRideOption(option.id)) {
                tag(
                    "button",
                    ["id": "option-\(index)", "class": "choice", "aria-pressed": option.isSelected ? "true" : "false"]
                ) {
                    Kangaroo.drawing(size: Kangaroo.size(of: option.id), classes: "animal")
                    tag("span", ["class": "name"], option.title)
                    tag("span", ["class": "fact"], "\(context.text(option.riders)), \(context.text(option.weight))")
                    tag("span", ["class": "price"], context.text(option.fare))
                }
            }
        }
    }
}

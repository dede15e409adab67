import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalShippingScreen: TerminalScreen, ShippingScreen {
    var address: Address? {
        didSet {
            if let address, address != oldValue { fill(address) }
            redraw()
        }
    }
    var savedAddresses: [Address] = [] { didSet { redraw() } }
    var methods = LoadState<[ShippingMethod]>() { didSet { redraw() } }
    var places = LoadState<[NamedLocation]>() { didSet { redraw() } }
    var methodId: String? { didSet { redraw() } }
    /// The place that was asked for here; before that the methods are for the address that came with the screen.
    private var asked: Place?

    private struct Place: Equatable {
        let country: String
        let postalCode: String
        let location: GeoPoint?

        init(country: String, postalCode: String, location: GeoPoint?) {
            (self.country, self.postalCode, self.location) = (country.uppercased(), postalCode, location)
        }

        init(_ address: Address?) {
            self.init(
                country: address?.country ?? "", postalCode: address?.postalCode ?? "", location: address?.location)
        }
    }

    /// Where an address is.
    private struct Located {
        /// What was written of it then; elsewhere it is no more.
        let fields: [String]
        let location: GeoPoint
        /// nil where it came with the address.
        let name: String?
    }

    private var located: Located?

    override var title: String { "Delivery" }
    override var hints: [(key: String, meaning: String)] { [("Enter", "next"), ("←→", "choose")] }

    override var elements: [FormElement] {
        savedElements + addressElements + [.blank] + methodElements + placeElements
    }

    // MARK: - What is shown

    private var savedElements: [FormElement] {
        guard !savedAddresses.isEmpty else { return [] }
        return savedAddresses.enumerated().map { index, address in
            .row("saved \(index)", StyledText(AddressText.line(address))) { [unowned self] in
                fill(address)
                form.focus(on: "find")
                redraw()
            }
        } + [.blank]
    }

    private var addressElements: [FormElement] {
        field("address.name", "Name") + field("address.line1", "Street") + field("address.line2", "Second line")
            + field("address.postalCode", "Postal code") + field("address.city", "City")
            + field("address.region", "Region") + field("address.country", "Country")
            + field("address.phone", "Phone") { [unowned self] in findMethods() }
    }

    private var methodElements: [FormElement] {
        guard isAsked else {
            return [
                .text(
                    StyledText(
                        "The country is two letters, as in AU. Second line, region and phone may stay empty.", .dim)),
                .button("find", "Show the ways of delivery") { [unowned self] in findMethods() },
            ]
        }
        return loaded(methods, doing: "Looking for ways of delivery") { methods in
            guard !methods.isEmpty else { return [.text("The shop does not deliver there.")] }
            let names = methods.map { "\($0.name), \($0.price.decimal) \($0.price.currency.code)" }
            let selected = methods.firstIndex { $0.id == methodId } ?? 0
            return [
                .choice("method", "Delivery", names, selected: selected) { [unowned self] in methodId = methods[$0].id
                },
                .text(StyledText(methods[selected].estimate, .dim)), .blank,
                .button("deliver", "Go on to the payment") { [unowned self] in deliver(methods[selected].id) },
            ]
        }
    }

    /// For a kangaroo, which has to know where the address is.
    private var placeElements: [FormElement] {
        guard isAsked, methods.value?.isEmpty == false else { return [] }
        let known = located.flatMap { $0.location == location ? $0.name ?? "where the address is" : nil }
        let title: FormElement = .text(
            StyledText(
                known.map { "A kangaroo comes to: \($0)." }
                    ?? "For delivery by kangaroo, the same day: choose a place near by.", .dim))
        return [.blank, title]
            + field("address.location", "Place near by") { [unowned self] in findPlaces() }
            + loaded(places, doing: "Looking for places") { places in
                guard !places.isEmpty else { return [.text("No place was found.")] }
                return places.enumerated().map { index, place in
                    .row("place \(index)", StyledText(place.name)) { [unowned self] in choose(place) }
                }
            }
    }

    // MARK: - What somebody wants

    private func findPlaces() {
        let query = text("address.location")
        guard areFilled(["address.location"]) else { return }
        invalid = [:]
        form.focus(on: "place 0")
        perform("Looking for places", (any CheckoutMessages).self) {
            try await $0.checkoutFindPlaces(matching: query)
        }
    }

    private func choose(_ place: NamedLocation) {
        located = Located(fields: whereabouts, location: place.location, name: place.name)
        form["address.location"] = ""
        places = LoadState()
        findMethods()
    }

    private func findMethods() {
        guard isComplete else { return }
        let place = place
        asked = place
        form.focus(on: "method")
        perform("Looking for ways of delivery", (any CheckoutMessages).self) {
            try await $0.checkoutFindMethods(
                country: place.country, postalCode: place.postalCode, location: place.location)
        }
    }

    private func deliver(_ methodId: String) {
        guard isComplete else { return }
        let address = entered
        perform("Settling the delivery", (any CheckoutMessages).self) {
            try await $0.checkoutDeliver(methodId: methodId, to: address)
        }
    }

    // MARK: - The address

    private func fill(_ address: Address) {
        form["address.name"] = address.name
        form["address.line1"] = address.line1
        form["address.line2"] = address.line2 ?? ""
        form["address.postalCode"] = address.postalCode
        form["address.city"] = address.city
        form["address.region"] = address.region ?? ""
        form["address.country"] = address.country
        form["address.phone"] = address.phone ?? ""
        located = address.location.map { Located(fields: whereabouts, location: $0, name: nil) }
    }

    private var isComplete: Bool {
        let needed = ["address.name", "address.line1", "address.postalCode", "address.city", "address.country"]
        guard areFilled(needed) else { return false }
        guard place.country.count == 2 else {
            refuse("address.country", "The country is two letters, as in AU.")
            return false
        }
        invalid = [:]
        return true
    }

    private var place: Place {
        Place(country: text("address.country"), postalCode: text("address.postalCode"), location: location)
    }

    /// Whether the ways of delivery are those to the place that stands there.
    private var isAsked: Bool { place == asked ?? Place(address) }

    private var location: GeoPoint? { located.flatMap { $0.fields == whereabouts ? $0.location : nil } }

    private var whereabouts: [String] {
        ["address.line1", "address.postalCode", "address.city", "address.region", "address.country"].map(text)
    }

    private var entered: Address {
        Address(
            name: text("address.name"), line1: text("address.line1"), line2: unlessEmpty("address.line2"),
            city: text("address.city"), region: unlessEmpty("address.region"), postalCode: place.postalCode,
            country: place.country, phone: unlessEmpty("address.phone"), location: place.location)
    }

    private func unlessEmpty(_ field: String) -> String? { text(field).isEmpty ? nil : text(field) }
}

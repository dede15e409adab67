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
    var methodId: String? { didSet { redraw() } }
    /// The place that was asked for here; before that the methods are for the address that came with the screen.
    private var asked: Place?

    private struct Place: Equatable {
        let country: String
        let postalCode: String

        init(country: String, postalCode: String) {
            (self.country, self.postalCode) = (country.uppercased(), postalCode)
        }

        init(_ address: Address?) {
            self.init(country: address?.country ?? "", postalCode: address?.postalCode ?? "")
        }
    }

    override var title: String { "Delivery" }
    override var hints: [(key: String, meaning: String)] { [("Enter", "next"), ("←→", "choose")] }

    override var elements: [FormElement] {
        savedElements + addressElements + [.blank] + methodElements
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
        guard place == asked ?? Place(address) else {
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

    // MARK: - What somebody wants

    private func findMethods() {
        guard isComplete else { return }
        let place = place
        asked = place
        form.focus(on: "method")
        perform("Looking for ways of delivery", (any CheckoutMessages).self) {
            try await $0.checkoutFindMethods(country: place.country, postalCode: place.postalCode)
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
        Place(country: text("address.country"), postalCode: text("address.postalCode"))
    }

    private var entered: Address {
        Address(
            name: text("address.name"), line1: text("address.line1"), line2: unlessEmpty("address.line2"),
            city: text("address.city"), region: unlessEmpty("address.region"), postalCode: place.postalCode,
            country: place.country, phone: unlessEmpty("address.phone"))
    }

    private func unlessEmpty(_ field: String) -> String? { text(field).isEmpty ? nil : text(field) }
}

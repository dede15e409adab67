import PouchCoordination
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
    /// The last search for methods. Before the first one, the methods are for `address`.
    private var lastSearch: FindShippingMethods?
    private var located: Located?

    /// The location of an address.
    private struct Located {
        /// The fields for which it was found. If they change, it no longer applies.
        let fields: [String]
        let location: GeoPoint
        /// nil if the location came with the address.
        let name: String?
    }

    override var title: String { "Delivery" }
    override var hints: [KeyHint] { [("Enter", "next"), ("←→", "choose")] }

    override var elements: [FormElement] {
        savedElements + addressElements + [.blank] + methodElements + placeElements
    }

    // MARK: - Elements

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
        guard methodsMatchFields else {
            return [
                .note("Second line, region and phone are optional. The country can be a name or a code, such as AU."),
                .button("find", "Show delivery options") { [unowned self] in findMethods() },
            ]
        }
        return loaded(methods, activity: "Looking for delivery options") { methods in
            guard !methods.isEmpty else { return [.text("The shop does not deliver there.")] }
            let names = methods.map { "\($0.name), \($0.price.text)" }
            let selected = methods.firstIndex { $0.id == methodId } ?? 0
            return [
                .choice("method", "Delivery", names, selected: selected) { [unowned self] in
                    methodId = methods[$0].id
                },
                .note(methods[selected].estimate), .blank,
                .button("deliver", "Continue to payment") { [unowned self] in deliver(methods[selected].id) },
            ]
        }
    }

    /// The search for a place near the address, which delivery by kangaroo requires.
    private var placeElements: [FormElement] {
        guard methodsMatchFields, methods.value?.isEmpty == false else { return [] }
        let known = located.flatMap { $0.location == location ? $0.name ?? "the address" : nil }
        let title =
            known.map { "A kangaroo can deliver to: \($0)." }
            ?? "For same-day delivery by kangaroo, choose a place nearby."
        return [.blank, .note(title)]
            + field("address.location", "Place nearby") { [unowned self] in findPlaces() }
            + loaded(places, activity: "Looking for places") { places in
                guard !places.isEmpty else { return [.text("No matching places.")] }
                return places.enumerated().map { index, place in
                    .row("place \(index)", StyledText(place.name)) { [unowned self] in choose(place) }
                }
            }
    }

    // MARK: - Actions

    private func findPlaces() {
        let query = text("address.location")
        // Without a place, the other delivery methods remain.
        guard !query.isEmpty else { return form.focus(on: "deliver") }
        invalid = [:]
        form.focus(on: "place 0")
        perform("Looking for places", sending: FindPlaces(matching: query))
    }

    private func choose(_ place: NamedLocation) {
        located = Located(fields: locatedFields, location: place.location, name: place.name)
        form["address.location"] = ""
        places = LoadState()
        findMethods()
    }

    private func findMethods() {
        guard isComplete else { return }
        let search = search
        lastSearch = search
        form.focus(on: "method")
        perform("Looking for delivery options", sending: search)
    }

    private func deliver(_ methodId: String) {
        guard isComplete else { return }
        perform("Saving the delivery", sending: ChooseDelivery(methodId: methodId, to: entered))
    }

    // MARK: - The address

    private func fill(_ address: Address) {
        let texts: [String: String?] = [
            "name": address.name, "line1": address.line1, "line2": address.line2, "postalCode": address.postalCode,
            "city": address.city, "region": address.region, "country": address.country, "phone": address.phone,
        ]
        for (field, text) in texts { form["address.\(field)"] = text ?? "" }
        located = address.location.map { Located(fields: locatedFields, location: $0, name: nil) }
    }

    private var isComplete: Bool {
        let country = search.country
        let needed =
            ["address.name", "address.line1"] + (Country.needsPostalCode(country) ? ["address.postalCode"] : [])
            + (Country.needsCity(country) ? ["address.city"] : []) + ["address.country"]
        guard areFilled(needed) else { return false }
        guard Country.code(of: text("address.country")) != nil else {
            refuse("address.country", "Enter the country's English name or its code, such as Germany or DE.")
            return false
        }
        invalid = [:]
        return true
    }

    /// The search for methods to the address in the fields.
    private var search: FindShippingMethods {
        let country = text("address.country")
        return FindShippingMethods(
            country: (Country.code(of: country) ?? country).uppercased(), postalCode: text("address.postalCode"),
            location: location)
    }

    /// Whether `methods` are for the address in the fields.
    private var methodsMatchFields: Bool {
        let known = FindShippingMethods(
            country: address?.country.uppercased() ?? "", postalCode: address?.postalCode ?? "",
            location: address?.location)
        return search == lastSearch ?? known
    }

    private var location: GeoPoint? { located.flatMap { $0.fields == locatedFields ? $0.location : nil } }

    private var locatedFields: [String] {
        ["address.line1", "address.postalCode", "address.city", "address.region", "address.country"].map(text)
    }

    private var entered: Address {
        Address(
            name: text("address.name"), line1: text("address.line1"), line2: optionalText("address.line2"),
            city: text("address.city"), region: optionalText("address.region"), postalCode: text("address.postalCode"),
            country: search.country, phone: optionalText("address.phone"), location: location)
    }

    private func optionalText(_ field: String) -> String? { text(field).isEmpty ? nil : text(field) }
}

final class TerminalPaymentScreen: TerminalScreen, PaymentScreen {
    var purchase = LoadState<Purchase>() { didSet { redraw() } }
    var needsEmail = false { didSet { redraw() } }

    override var title: String { "Payment" }

    override var elements: [FormElement] {
        loaded(purchase) { purchase in
            purchase.lines.map { .block(Row(LineText.leading($0), LineText.trailing($0))) } + [.blank]
                + FormElement.sums(TotalsText.rows(purchase.totals, discount: purchase.discount))
                + (purchase.shipping.map { [.note(AddressText.line($0))] } ?? []) + [.blank]
                + payElements(purchase)
        }
    }

    private func payElements(_ purchase: Purchase) -> [FormElement] {
        let token =
            field("paymentMethod.token", "Card token") { [unowned self] in pay() } + [
                .note("Enter a token such as tok_ok, never a card number."), .blank,
                .button("pay", "Pay \(purchase.totals.total.text)") { [unowned self] in pay() },
            ]
        guard needsEmail else { return token }
        return field("email", "E-mail") + token
            + [.row("sign in", "Sign in instead") { [unowned self] in go(to: .signIn) }]
    }

    /// Pays. This cannot be cancelled once it is sent, because the card may already be charged.
    private func pay() {
        guard areFilled((needsEmail ? ["email"] : []) + ["paymentMethod.token"]) else { return }
        let token = text("paymentMethod.token")
        guard !isCardNumber(token) else {
            form["paymentMethod.token"] = ""
            return refuse("paymentMethod.token", "Never send a card number. Enter a token.")
        }
        perform("Paying", .committed, sending: Pay(cardToken: token, email: needsEmail ? text("email") : nil))
    }

    /// Whether the text has as many digits as a card number (ISO/IEC 7812), and nothing else.
    private func isCardNumber(_ text: String) -> Bool {
        let digits = text.filter { !" -".contains($0) }
        return (12...19).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

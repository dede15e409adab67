import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// Adds the one-page checkout with its two buttons: one updates the prices for the entries, the other pays.
    func addCheckoutPages() {
        let checkout = page("/checkout", for: .guestOrCustomer) { try await CheckoutPage.content($0) }
        form("/checkout/shipping", for: .guestOrCustomer, showing: checkout) { submission in
            try await CheckoutSteps(submission).chooseDelivery()
            return try await checkout(submission.visit)
        }
        form("/checkout", for: .guestOrCustomer, showing: checkout) { submission in
            let order = try await CheckoutSteps(submission).order()
            return Redirect(to: PagePath.order(order.id))
        }
    }
}

/// Turns the checkout form into API requests: for the delivery, the payment and the address to save.
struct CheckoutSteps {
    /// The maximum number of attempts to store the delivery when the cart changes at the same time, such as when the
    /// form is submitted twice.
    private static let attempts = 5
    /// The interval and the maximum number of checks for whether the payment of a form that was submitted twice has
    /// ended. A payment whose response is lost takes about ten seconds.
    ///
    /// There is no better signal. The stream of an order's events also polls the database, and it does not end when the
    /// payment fails, which deletes the order. The response that is stored for the key shows every outcome, even if
    /// another server makes the payment.
    private static let (pause, maxPolls) = (Duration.milliseconds(250), 100)
    /// The maximum age of an order in seconds; an older order was paid earlier by the same form.
    private static let fresh: TimeInterval = 60

    private let submission: Submission
    private let form: CheckoutForm
    private let typed: JSON
    private var site: Site { submission.site }
    private var visit: Visit { submission.visit }

    init(_ submission: Submission) {
        self.submission = submission
        form = CheckoutForm(submission.visit)
        typed = submission.json
    }

    /// Stores the address and the method if the address is complete and the method is available for it. Otherwise, the
    /// page shows the methods and prices for the entries so far.
    func chooseDelivery() async throws {
        do {
            try await storeDelivery(try await delivery())
        } catch {
            let code = RequestProblem(error)?.code
            guard [.validationFailed, .unknownShippingMethod, .locationRequired].contains(code) else { throw error }
        }
    }

    /// Stores the delivery and pays for the cart. Submitting the form twice creates one order.
    func order() async throws -> Order {
        let delivery = try await delivery()
        try await checkEmail(storing: delivery)
        let order = try await placed(delivery)
        // A second click may arrive after the visitor has started another cart.
        if site.now.timeIntervalSince(order.createdAt) < Self.fresh { visit.cookies.keepUnits(of: nil) }
        if form.savesAddress, visit.isSignedIn {
            // The order is placed even if the address limit is reached.
            _ = try? await submission.perform(Contract.addAddress, delivery["address"])
        }
        submission.tell(visit.text("notice-ordered", order.email ?? visit.enteredValue("email")))
        return order
    }

    // MARK: Steps

    /// Reports an invalid e-mail address together with the errors of the delivery. The API receives the address with
    /// the payment, so it would report it only after all other errors are corrected.
    private func checkEmail(storing delivery: JSON) async throws {
        guard let email = visit.form?["email"], EmailAddress.normalized(email) == nil else { return }
        var fields = [FieldProblem(field: "email", code: "invalid", detail: "This is not an e-mail address.")]
        do { try await storeDelivery(delivery) } catch {
            guard let problem = RequestProblem(error), problem.code == .validationFailed else { throw error }
            fields += problem.fields ?? []
        }
        throw RequestProblem(.validationFailed, nil, fields)
    }

    private func placed(_ delivery: JSON) async throws -> Order {
        let payment = JSON.object(
            ["paymentMethod", "expectedTotal", "email"].reduce(into: [:]) { $0[$1] = typed[$1] })
        for attempt in 1..<Self.attempts {
            let version = try await storeDelivery(delivery)
            do { return try await paid(payment, version) } catch {
                guard RequestProblem(error)?.code == .versionConflict else { throw error }
                // A random delay, so that two concurrent submissions do not collide again.
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...20 * attempt)))
            }
        }
        return try await paid(payment, try await storeDelivery(delivery))
    }

    /// - Parameter version: the version of the cart with this delivery, so no order goes to another form's address.
    private func paid(_ payment: JSON, _ version: Int) async throws -> Order {
        func pay() async throws -> Order {
            try await submission.send(Contract.checkout, payment) { $0[.ifMatch] = "\"\(version)\"" }
        }
        var pollsLeft = Self.maxPolls
        while true {
            do { return try await pay() } catch {
                guard RequestProblem(error)?.code == .idempotencyKeyInUse, pollsLeft > 0 else { throw error }
            }
            // A check only reads, unlike another attempt.
            var isRunning = true
            while isRunning, pollsLeft > 0 {
                try await Task.sleep(for: Self.pause)
                isRunning = try await submission.isRunning(Contract.checkout)
                pollsLeft -= 1
            }
        }
    }

    /// The body of the API request, including the saved address if one was chosen.
    private func delivery() async throws -> JSON {
        var saved: [Address] = []
        if form.addressId != nil {
            saved = try await visit.read { try $1.accounts.addresses(accountId: $0.ownerId) }
        }
        var body = JSON.object(["address": try form.address(in: typed, of: saved)])
        body["methodId"] = typed["shipping"]?["methodId"]
        return body
    }

    /// - Returns: the version of the cart with the delivery.
    @discardableResult
    private func storeDelivery(_ delivery: JSON) async throws -> Int {
        let answer = try await submission.perform(Contract.setCartShipping, delivery) {
            $0[.prefer] = "return=minimal"
        }
        return try CartSummary(json: answer.body).version
    }
}

/// A visitor's entries at checkout; empty on a GET.
struct CheckoutForm: Sendable {
    private let visit: Visit
    private let country: String
    private let places: [NamedLocation]

    init(_ visit: Visit) {
        self.visit = visit
        country = visit.site.shop.country
        places = visit.site.kangarooPlaces
    }

    private var isSent: Bool { visit.form != nil }

    /// The id of the chosen saved address; nil for a different address.
    var addressId: String? { chosen("shipping.addressId") }

    var methodId: String? { chosen("shipping.methodId") }

    /// The card that stays selected. After a declined card, the visitor chooses again.
    var card: String? {
        visit.failure?.problem.code == .paymentDeclined ? nil : chosen("paymentMethod.token")
    }

    /// The lines that the visitor saw; empty on a GET.
    var seen: SeenLines { SeenLines(visit.form ?? FormBody([])) }

    /// Whether the default card is preselected: on a GET, not after a POST.
    var choosesCard: Bool { !isSent }

    /// The place in the city where a kangaroo delivers the order.
    var place: NamedLocation? { chosen("shipping.place").flatMap { name in places.first { $0.name == name } } }

    var savesAddress: Bool { addressId == nil && visit.form?["saveAddress"] != nil }

    private func chosen(_ field: String) -> String? {
        let value = visit.enteredValue(field)
        return value.isEmpty ? nil : value
    }

    // MARK: Addresses

    /// The address as entered or chosen so far, for prices while the form is incomplete; nil if there is none yet.
    func address(of saved: [Address]) -> Address? {
        guard isSent else { return nil }
        let address = saved.first { $0.id == addressId }?.with(id: nil) ?? typed
        return place.map { address.with(location: $0.location) } ?? address
    }

    private var typed: Address {
        func text(_ name: String) -> String { visit.enteredValue("shipping.address.\(name)") }
        func optional(_ name: String) -> String? { chosen("shipping.address.\(name)") }
        return Address(
            name: text("name"), line1: text("line1"), line2: optional("line2"), city: text("city"),
            region: optional("region"), postalCode: text("postalCode"),
            country: optional("country") ?? country, phone: optional("phone"))
    }

    /// The address for the API: a saved one, or the entered JSON, whose errors the API reports by field.
    func address(in json: JSON, of saved: [Address]) throws -> JSON {
        var address = json["shipping"]?["address"] ?? .object([:])
        if let found = saved.first(where: { $0.id == addressId }) {
            address = try JSON(json: AddressInput(found).json())
        }
        guard let location = place?.location else { return address }
        return address.merging([
            "location": ["latitude": .number(location.latitude), "longitude": .number(location.longitude)]
        ])
    }
}

extension Address {
    func with(location: GeoPoint?) -> Address {
        Address(
            id: id, name: name, line1: line1, line2: line2, city: city, region: region, postalCode: postalCode,
            country: country, phone: phone, location: location)
    }

    /// Whether both addresses have the same recipient and house. Ignores the saved address's id and the other's place.
    func isSame(as other: Address) -> Bool {
        with(id: nil).with(location: nil) == other.with(id: nil).with(location: nil)
    }
}

import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

struct CheckoutValues: PageModel {
    let isSignedIn: Bool
    let signInUrl, email: String
    let savedAddresses: [Choice.Values]
    /// Whether the address fields are chosen instead of a saved address.
    let isOtherAddress: Bool
    let address: AddressFields
    /// Whether the checkbox to save the address is ticked.
    let isAddressSaved: Bool
    let methods: [DeliveryChoice]
    /// The places that kangaroos deliver to.
    let places: [Choice.Values]
    let paymentMethods: [Choice.Values]
    let lines: [BoughtLine]
    let totals: SumValues
    let changes: [String]
    let expectedTotal: String
    /// The fields of `SeenLines`.
    let seen: [String]
    let payNote: String
}

/// The one-page checkout: contact, address, delivery, payment and total.
struct CheckoutPage {
    /// The time during which an empty cart redirects to the order that emptied it.
    private static let rightAfter: TimeInterval = 30 * 60

    /// The visitor's data for the page, read in one transaction.
    private struct Facts: Sendable {
        let chosen: CartAtCheckout
        let saved: [Address]
        /// The account's e-mail address; nil for a guest.
        let email: String?
        /// The account's name; nil for a guest.
        let name: String?
        /// The latest order; read only for an empty cart.
        let latest: Order?
        /// The names of products that were removed from the cart, by SKU.
        let withdrawn: [String: String]
    }

    private let visit: Visit
    private let form: CheckoutForm
    private let facts: Facts
    private let lines: LineValues

    private var cart: Cart { facts.chosen.cart }

    /// - Throws: `Redirect` for an empty cart: to the order that emptied it, or to the cart.
    static func content(_ visit: Visit) async throws -> PageContent {
        guard visit.session != nil else { throw Redirect(to: PagePath.cart) }
        let form = CheckoutForm(visit)
        let facts = try await visit.read { [carts = visit.site.services.carts] principal, repositories in
            let saved = principal.isGuest ? [] : try repositories.accounts.addresses(accountId: principal.ownerId)
            let chosen = try carts.cartAtCheckout(
                principal, address: form.address(of: saved), usual: saved.first, methodId: form.methodId,
                in: repositories)
            return Facts(
                chosen: chosen, saved: saved,
                email: principal.isGuest
                    ? nil : try repositories.sessions.session(id: principal.sessionId, locking: false)?.email,
                name: principal.isGuest
                    ? nil : try visit.site.services.accounts.profile(principal, in: repositories).name,
                latest: chosen.cart.lines.isEmpty
                    ? try repositories.orders.orders(ownerId: principal.ownerId, after: nil, limit: 1).first?.order
                    : nil,
                withdrawn: try visit.site.names(
                    of: chosen.cart.changes + form.seen.removed(from: chosen.cart), in: repositories))
        }
        visit.cookies.keepUnits(of: facts.chosen.cart)
        guard !facts.chosen.cart.lines.isEmpty else {
            let order = facts.latest.flatMap {
                visit.site.now.timeIntervalSince($0.createdAt) < rightAfter ? $0 : nil
            }
            throw Redirect(to: order.map { PagePath.order($0.id) } ?? PagePath.cart)
        }
        let catalog = try await visit.site.services.catalog.current()
        return CheckoutPage(
            visit: visit, form: form, facts: facts,
            lines: LineValues(visit: visit, catalog: catalog, withdrawn: facts.withdrawn)
        ).content
    }

    private var content: PageContent {
        let total = cart.totals.total
        let method = facts.chosen.method.map { visit.deliveryName($0.id) }
        let (changes, places, savedId) = (changes, places, savedId)
        let payNote =
            total.amount == 0
            ? visit.text("checkout-free")
            : visit.text("checkout-pay-note", visit.language.price(total))
        let values = CheckoutValues(
            isSignedIn: facts.email != nil, signInUrl: "/sign-in?next=/checkout",
            email: visit.enteredValue("email", default: facts.email),
            savedAddresses: facts.saved.map(choice).values(chosen: savedId), isOtherAddress: savedId == nil,
            // The form shows an entered address, not a saved one.
            address: fields(savedId == nil ? facts.chosen.address : nil), isAddressSaved: form.savesAddress,
            methods: facts.chosen.methods.map {
                visit.deliveryChoice($0, isSelected: $0.id == facts.chosen.method?.id)
            },
            places: places, paymentMethods: cards, lines: cart.lines.map(lines.line),
            totals: cart.totals.values(visit.language, discount: cart.discount?.code, shipping: method),
            changes: changes, expectedTotal: total.decimal, seen: SeenLines(cart).values, payNote: payNote)
        var content = PageContent(values, title: visit.text("checkout-title"))
        content.form = PageContent.Form(id: "checkout", address: "/checkout/shipping")
        // The totals are more specific than the text of the problem.
        if let totalChange, var failure = visit.failure {
            failure.summary = totalChange
            content.failure = .own(failure.errors(prefix: ""))
        }
        return content
    }

    // MARK: Address and delivery

    /// The id of the chosen saved address; nil for a different address.
    private var savedId: String? {
        guard visit.form == nil else { return form.addressId }
        return facts.saved.first { saved in facts.chosen.address.map { saved.isSame(as: $0) } ?? false }?.id
    }

    private func choice(_ saved: Address) -> Choice {
        Choice(saved.id ?? "", saved.name, text: visit.language.lines(saved).dropFirst().joined(separator: ", "))
    }

    private func fields(_ address: Address?) -> AddressFields {
        AddressFields(
            address, visit.site.shop, visit, name: facts.name, prefix: "shipping.address.", optional: "?",
            // A saved address hides the fields, so they could not be filled in.
            isRequired: facts.saved.isEmpty, countries: visit.servedCountries)
    }

    private var places: [Choice.Values] {
        guard visit.site.hasKangaroos(in: facts.chosen.address?.country ?? visit.site.shop.country) else { return [] }
        let (places, location) = (visit.site.kangarooPlaces, facts.chosen.address?.location)
        return places.map { Choice($0.name, $0.name) }
            .values(chosen: Set(places.filter { $0.location == location }.map(\.name)))
    }

    // MARK: Payment

    private var cards: [Choice.Values] {
        SandboxCards.tokens.map { token in
            let key = "card-" + token.replacing("_", with: "-")
            return Choice(token, visit.text(key), text: visit.text(key + "-text"))
        }.values(chosen: form.card ?? (form.choosesCard ? SandboxCards.tokens[0] : nil))
    }

    /// The changes since the page that the visitor submitted, or since the last visit to the cart.
    private var changes: [String] {
        var texts = cart.lines.compactMap { line in
            lines.shortage(line).map { "\(line.name): \($0)" }
        }
        texts += form.seen.changes(to: cart, currency: visit.site.shop.currency).compactMap(lines.text)
        for text in cart.changes.compactMap(lines.text) where !texts.contains(text) { texts.append(text) }
        let reported = visit.failure?.fields.map(\.text) ?? []
        return texts.filter { !reported.contains($0) }
    }

    private var totalChange: String? {
        guard visit.failure?.problem.code == .priceChanged,
            let before = Money(decimal: visit.enteredValue("expectedTotal"), currency: visit.site.shop.currency)
        else { return nil }
        let price = visit.language.price
        return visit.text("checkout-total-changed", price(cart.totals.total), price(before))
    }
}

/// The lines that a visitor saw at checkout. They are in the page's form, so that a later page can show what has
/// changed: a write to the cart, such as storing the delivery, marks the shop's changes as seen.
struct SeenLines {
    private var lines: [String: (quantity: Int, price: Int64)] = [:]
    let values: [String]

    init(_ cart: Cart) {
        values = cart.lines.map { "\($0.quantity) \($0.unitPrice.amount) \($0.sku)" }
    }

    init(_ form: FormBody) {
        values = form.values("seen")
        for value in values.prefix(ModelLimits.lines) {
            let parts = value.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let quantity = Int(parts[0]), let price = Int64(parts[1]) else { continue }
            lines[String(parts[2])] = (quantity, price)
        }
    }

    /// The lines that are no longer in a cart.
    func removed(from cart: Cart) -> [CartChange] {
        let kept = Set(cart.lines.map(\.sku))
        return lines.keys.filter { !kept.contains($0) }.sorted().map {
            .quantity(sku: $0, .removed, from: lines[$0]?.quantity ?? 0, to: 0)
        }
    }

    func changes(to cart: Cart, currency: Currency) -> [CartChange] {
        guard !lines.isEmpty else { return [] }
        let now = cart.lines.flatMap { line -> [CartChange] in
            let seen = lines[line.sku] ?? (quantity: 0, price: line.unitPrice.amount)
            var changes: [CartChange] = []
            if seen.price != line.unitPrice.amount {
                changes.append(
                    .priceChanged(sku: line.sku, from: Money(seen.price, currency), to: line.unitPrice))
            }
            if seen.quantity != line.quantity {
                changes.append(.quantity(sku: line.sku, .quantityReduced, from: seen.quantity, to: line.quantity))
            }
            return changes
        }
        return now + removed(from: cart)
    }
}

/// The sandbox cards. Each token determines the outcome of the payment and the keys of the card's texts.
enum SandboxCards {
    static let tokens = ["tok_ok", "tok_slow", "tok_declined", "tok_insufficient_funds", "tok_lost", "tok_error"]
}

/// A delivery method to choose from.
struct DeliveryChoice: TemplateValues {
    let id, name, estimate, price: String
    let isSelected: Bool
}

extension Visit {
    /// The name of a delivery method: the merchant's, in one language, or the courier's.
    func deliveryName(_ id: String) -> String {
        if id == ShippingMethod.courierId { return text("delivery-kangaroo") }
        return site.shop.shipping.first { $0.id == id }?.name ?? id
    }

    func deliveryChoice(_ method: ShippingMethod, isSelected: Bool) -> DeliveryChoice {
        let isCourier = method.id == ShippingMethod.courierId
        return DeliveryChoice(
            id: method.id, name: isCourier ? text("delivery-kangaroo") : method.name,
            estimate: isCourier ? text("delivery-kangaroo-estimate") : method.estimate,
            price: method.price.amount == 0 ? text("price-free") : language.price(method.price), isSelected: isSelected)
    }

    /// The countries that the shop ships to.
    var servedCountries: [(code: String, name: String)] {
        let territories = site.shop.shipping.flatMap { $0.regions.flatMap(\.territories) }
        let served = Set(territories.compactMap(\.country)).union([site.shop.country])
        guard !territories.contains(where: { $0.country == nil }) else { return language.countries }
        return language.countries.filter { served.contains($0.code) }
    }
}

extension Site {
    /// The places that kangaroos deliver to, sorted by name; empty if the shop does not offer it.
    var kangarooPlaces: [NamedLocation] { environment.courier?.places ?? [] }

    /// The name of a place that kangaroos deliver to; nil for any other location.
    func placeName(of location: GeoPoint) -> String? {
        kangarooPlaces.first { $0.location == location }?.name
    }

    /// The name of the place where a kangaroo hands over the order; nil for other delivery methods.
    func handoverPlace(of order: Order) -> String? {
        guard let shipping = order.shipping, shipping.methodId == ShippingMethod.courierId else { return nil }
        return shipping.address.location.flatMap(placeName)
    }

    /// Whether kangaroos deliver anywhere in a country.
    func hasKangaroos(in country: String) -> Bool {
        do {
            return try environment.courier?.method(
                to: Destination(country: country), grams: 0, goods: .zero(shop.currency))
                != nil
        } catch DomainError.locationRequired {
            return true
        } catch {
            return false
        }
    }
}

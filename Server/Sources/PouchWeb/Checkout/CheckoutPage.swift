import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

struct CheckoutValues: PageModel {
    static let template = "checkout"

    let isSignedIn: Bool
    let signInUrl, email: String
    let hasSavedAddresses: Bool
    let savedAddresses: [Choice.Values]
    /// Whether the fields of an address are chosen, and no saved one.
    let isOtherAddress: Bool
    let address: AddressFields
    /// Whether the box is ticked that keeps the address in the account.
    let isAddressSaved: Bool
    let methods: [DeliveryChoice]
    let hasPlaces: Bool
    /// Those to which kangaroos bring orders.
    let places: [Choice.Values]
    let paymentMethods: [Choice.Values]
    let lines: [BoughtLine]
    let totals: SumValues
    let hasChanges: Bool
    let changes: [String]
    let expectedTotal: String
    /// The fields of `SeenLines`.
    let seen: [String]
    let payNote: String
}

/// The checkout on one page: contact, address, delivery, payment and the total.
struct CheckoutPage {
    /// The time for which an empty cart leads to the order that emptied it.
    private static let rightAfter: TimeInterval = 30 * 60

    /// The data of the visitor that the page needs, read at one moment.
    private struct Facts: Sendable {
        let chosen: CartAtCheckout
        let saved: [Address]
        /// The account's e-mail address; nil for a guest.
        let email: String?
        /// The account's name; nil for a guest.
        let name: String?
        /// Read only for an empty cart.
        let latest: Order?
        /// The names of products that left the cart, by SKU.
        let withdrawn: [String: String]
    }

    private let site: Site
    private let visit: Visit
    private let form: CheckoutForm
    private let facts: Facts
    private let lines: LineValues

    private var cart: Cart { facts.chosen.cart }

    /// - Throws: `Redirect` for an empty cart: to the order that emptied it, or to the cart.
    static func content(_ site: Site, _ visit: Visit) async throws -> PageContent {
        guard visit.session != nil else { throw Redirect(to: PagePath.cart) }
        let form = CheckoutForm(site, visit)
        let facts = try await site.read(visit) { [site, carts = site.services.carts] principal, repositories in
            let saved = principal.isGuest ? [] : try repositories.accounts.addresses(accountId: principal.ownerId)
            let chosen = try carts.cartAtCheckout(
                principal, address: form.address(of: saved), usual: saved.first, methodId: form.methodId,
                in: repositories)
            return Facts(
                chosen: chosen, saved: saved,
                email: principal.isGuest
                    ? nil : try repositories.sessions.session(id: principal.sessionId, locking: false)?.email,
                name: principal.isGuest
                    ? nil : try site.services.accounts.profile(principal, in: repositories).name,
                latest: chosen.cart.lines.isEmpty
                    ? try repositories.orders.orders(ownerId: principal.ownerId, after: nil, limit: 1).first?.order
                    : nil,
                withdrawn: try site.names(
                    of: chosen.cart.changes + form.seen.removed(from: chosen.cart), in: repositories))
        }
        visit.cookies.keepUnits(of: facts.chosen.cart)
        guard !facts.chosen.cart.lines.isEmpty else {
            let order = facts.latest.flatMap {
                site.now.timeIntervalSince($0.createdAt) < rightAfter ? $0 : nil
            }
            throw Redirect(to: order.map { PagePath.order($0.id) } ?? PagePath.cart)
        }
        let catalog = try await site.services.catalog.current()
        return CheckoutPage(
            site: site, visit: visit, form: form, facts: facts,
            lines: LineValues(site: site, visit: visit, catalog: catalog, withdrawn: facts.withdrawn)
        ).content
    }

    private var content: PageContent {
        let total = cart.totals.total
        let method = facts.chosen.method.map { site.deliveryName($0.id, visit) }
        let (changes, places, savedId) = (changes, places, savedId)
        let payNote =
            total.amount == 0
            ? site.text("checkout-free", visit)
            : site.text("checkout-pay-note", visit, visit.language.price(total))
        let values = CheckoutValues(
            isSignedIn: facts.email != nil, signInUrl: "/sign-in?next=/checkout",
            email: visit.typed("email", or: facts.email), hasSavedAddresses: !facts.saved.isEmpty,
            savedAddresses: facts.saved.map(choice).values(chosen: savedId), isOtherAddress: savedId == nil,
            // The form shows a typed address, and not a saved one.
            address: fields(savedId == nil ? facts.chosen.address : nil), isAddressSaved: form.savesAddress,
            methods: facts.chosen.methods.map {
                site.deliveryChoice($0, visit, isSelected: $0.id == facts.chosen.method?.id)
            },
            hasPlaces: !places.isEmpty, places: places, paymentMethods: cards, lines: cart.lines.map(lines.line),
            totals: cart.totals.values(visit.language, discount: cart.discount?.code, shipping: method),
            hasChanges: !changes.isEmpty, changes: changes, expectedTotal: total.decimal, seen: SeenLines(cart).values,
            payNote: payNote)
        var content = PageContent(values, title: site.text("checkout-title", visit))
        content.form = PageContent.Form(id: "checkout", address: "/checkout/shipping")
        // The totals say more than the text of the problem.
        if let totalChange, var failure = visit.failure {
            failure.summary = totalChange
            content.failure = .own(failure.errors(prefix: ""))
        }
        return content
    }

    // MARK: Address and delivery

    /// The id of the saved address that is chosen; nil for another one.
    private var savedId: String? {
        guard visit.form == nil else { return form.addressId }
        return facts.saved.first { saved in facts.chosen.address.map { saved.isSame(as: $0) } ?? false }?.id
    }

    private func choice(_ saved: Address) -> Choice {
        Choice(saved.id ?? "", saved.name, text: visit.language.lines(saved).dropFirst().joined(separator: ", "))
    }

    private func fields(_ address: Address?) -> AddressFields {
        AddressFields(
            address, site.shop, visit, name: facts.name, prefix: "shipping.address.", optional: "?",
            // Fields that a saved address hides could not be filled in.
            isRequired: facts.saved.isEmpty, countries: site.countries(visit))
    }

    private var places: [Choice.Values] {
        guard site.hasKangaroos(in: facts.chosen.address?.country ?? site.shop.country) else { return [] }
        let (places, location) = (site.kangarooPlaces, facts.chosen.address?.location)
        return places.map { Choice($0.name, $0.name) }
            .values(chosen: Set(places.filter { $0.location == location }.map(\.name)))
    }

    // MARK: Payment

    private var cards: [Choice.Values] {
        SandboxCards.tokens.map { token in
            let key = "card-" + token.replacing("_", with: "-")
            return Choice(token, site.text(key, visit), text: site.text(key + "-text", visit))
        }.values(chosen: form.card ?? (form.choosesCard ? SandboxCards.tokens[0] : nil))
    }

    /// The differences from the page that the visitor sent, or from the last visit of the cart.
    private var changes: [String] {
        var texts = cart.lines.compactMap { line in
            lines.shortage(line).map { "\(line.name): \($0)" }
        }
        texts += form.seen.changes(to: cart, currency: site.shop.currency).compactMap(lines.text)
        for text in cart.changes.compactMap(lines.text) where !texts.contains(text) { texts.append(text) }
        let reported = visit.failure?.fields.map(\.text) ?? []
        return texts.filter { !reported.contains($0) }
    }

    private var totalChange: String? {
        guard visit.failure?.problem.code == .priceChanged,
            let before = Money(decimal: visit.typed("expectedTotal"), currency: site.shop.currency)
        else { return nil }
        let price = visit.language.price
        return site.text("checkout-total-changed", visit, price(cart.totals.total), price(before))
    }
}

/// The lines that a visitor saw at the checkout, in the page's form, so that a later page can say what has changed. A
/// write to the cart, such as that of the delivery, marks changes of the shop as seen.
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

    /// The lines that a cart no longer has.
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

/// The cards of the sandbox, whose tokens decide how a payment ends. The texts of each are named after it.
enum SandboxCards {
    static let tokens = ["tok_ok", "tok_slow", "tok_declined", "tok_insufficient_funds", "tok_lost", "tok_error"]
}

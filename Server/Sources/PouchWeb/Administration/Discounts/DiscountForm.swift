import Foundation
import PouchDomain
import PouchEntities
import PouchJSON

/// The values of a discount from the fields of its form, and the values that the member has changed.
struct DiscountForm {
    /// The seconds until a discount ends when it is switched off: the end must be in the future when it is stored.
    static let endsWithin: TimeInterval = 3

    private let fields: FormBody
    private let site: Site
    /// The terms shown in the form; nil for a new discount, and for a form that sets individual values.
    private let shown: DiscountTerms?

    init(_ form: FormBody, _ site: Site) {
        fields = form.without(["shown"])
        self.site = site
        shown = form["shown"].flatMap { try? DiscountTerms(json: Data($0.utf8)) }
    }

    /// The values, without those of other effects, whose fields are also in the form.
    var json: JSON {
        var json = fields.json(currency: site.shop.currency, timeZone: site.shop.timeZone)
        let own = json["kind"]?.string.flatMap(DiscountTerms.Kind.init).map(Self.values)
        for name in ["basisPoints", "amount", "buy", "get"] where own?.contains(name) == false { json[name] = nil }
        return json
    }

    /// The values that differ from those shown, so that changes by others are kept.
    var changes: [String: JSON] {
        let typed = json.object ?? [:]
        guard let shown else { return typed }
        var changes = Self.differences(from: Self.members(shown), to: Self.normal(typed))
        // A field has no fractions of a second, and a past end may be kept but not set.
        for (name, date) in [("startsAt", shown.startsAt), ("endsAt", shown.endsAt)] {
            if let date, fields[name] == LocalTime(date).text(in: site.shop.timeZone) { changes[name] = nil }
        }
        return changes
    }

    /// The names of the values that both the member and another person have changed, to different values.
    func conflicts(with stored: DiscountTerms) -> [String] {
        guard let shown else { return [] }
        let theirs = Self.differences(from: Self.members(shown), to: Self.members(stored))
        return changes.filter { change in theirs[change.key].map { $0 != change.value } ?? false }.keys.sorted()
    }

    private static func members(_ terms: DiscountTerms) -> [String: JSON] {
        normal((try? JSON(json: terms.json()))?.object ?? [:])
    }

    /// The members with sorted categories, whose order has no meaning.
    private static func normal(_ members: [String: JSON]) -> [String: JSON] {
        guard let categories = members["categories"]?.array else { return members }
        let sorted = categories.sorted { $0.string ?? "" < $1.string ?? "" }
        return members.merging(["categories": .array(sorted)]) { $1 }
    }

    /// The members of the new object that differ from the old one. A missing member is null.
    private static func differences(from old: [String: JSON], to new: [String: JSON]) -> [String: JSON] {
        let names = Set(old.keys).union(new.keys)
        return names.reduce(into: [:]) { found, name in
            let value = new[name] ?? .null
            if value != old[name] ?? .null { found[name] = value }
        }
    }

    private static func values(of kind: DiscountTerms.Kind) -> [String] {
        switch kind {
        case .percentage: ["basisPoints"]
        case .amount: ["amount"]
        case .buyXGetY: ["buy", "get"]
        case .freeShipping, .unrecognised: []
        }
    }
}

/// Describes a discount: its effect, scope and schedule.
struct DiscountTexts {
    let admin: AdminVisit
    let categories: [CategoryName]

    func row(_ discount: ManagedDiscount) -> DiscountsValues.Row {
        let terms = discount.terms
        return DiscountsValues.Row(
            url: AdminPath.discount(discount.id), code: terms.code, effectText: effect(terms),
            conditionText: conditions(terms).ifNotEmpty, scopeText: scope(terms), timesText: times(terms),
            status: status(discount),
            usedText: terms.limit.map { "\(discount.used) of \($0)" } ?? String(discount.used))
    }

    func usedSentence(_ discount: ManagedDiscount) -> String {
        discount.used == 0 ? "Not used yet." : "Used in \(admin.count(discount.used, "order", "orders"))."
    }

    // MARK: Status

    func isInEffect(_ discount: ManagedDiscount) -> Bool {
        let (terms, now) = (discount.terms, admin.site.now)
        return terms.startsAt.map { $0 <= now } ?? true && terms.endsAt.map { now < $0 } ?? true
    }

    func status(_ discount: ManagedDiscount) -> StatusValues {
        let (terms, now) = (discount.terms, admin.site.now)
        if let end = terms.endsAt, end <= now { return StatusTone.warn.status("Ended") }
        if let limit = terms.limit, discount.used >= limit { return StatusTone.warn.status("Used up") }
        if let start = terms.startsAt, now < start { return StatusTone.plain.status("Upcoming") }
        return StatusTone.good.status("Active")
    }

    // MARK: Terms

    /// The value of a field by its API name; nil for none.
    func value(_ name: String, of terms: DiscountTerms) -> String? {
        switch name {
        case "code": terms.code
        case "startsAt": terms.startsAt.map(admin.time)
        case "endsAt": terms.endsAt.map(admin.time)
        case "minimum": terms.minimum.map(admin.price)
        case "products": terms.products?.joined(separator: ", ")
        case "categories": terms.categories.map { names($0).joined(separator: ", ") }
        case "limit": terms.limit.map(admin.visit.language.number)
        case "limitPerAccount": terms.limitPerAccount.map(admin.visit.language.number)
        default: effect(terms)
        }
    }

    private func effect(_ terms: DiscountTerms) -> String {
        switch terms.kind {
        case .percentage: "\(AdminVisit.percent(basisPoints: terms.basisPoints ?? 0)) off"
        case .amount: "\(terms.amount.map(admin.price) ?? "") off"
        case .buyXGetY: "Buy \(terms.buy ?? 0), get \(terms.get ?? 0) free"
        case .freeShipping: "Free shipping"
        case .unrecognised: terms.kind.rawValue
        }
    }

    private func conditions(_ terms: DiscountTerms) -> String {
        let minimum = terms.minimum.map { "from \(admin.price($0))" }
        let perCustomer = terms.limitPerAccount.map { $0 == 1 ? "once per customer" : "\($0) times per customer" }
        return [minimum, perCustomer].compactMap(\.self).joined(separator: ", ")
    }

    private func scope(_ terms: DiscountTerms) -> String {
        let names = names(terms.categories ?? [])
        let products = (terms.products ?? []).count
        let counted = products == 0 ? [] : [admin.count(products, "product", "products")]
        let parts = names + counted
        return parts.isEmpty ? "Everything" : parts.joined(separator: ", ")
    }

    private func names(_ ids: [String]) -> [String] {
        ids.map { id in categories.first { $0.id == id }?.name ?? id }
    }

    private func times(_ terms: DiscountTerms) -> String {
        switch (terms.startsAt, terms.endsAt) {
        case (nil, nil): "always"
        case (let start?, nil): "from \(admin.time(start))"
        case (nil, let end?): "until \(admin.time(end))"
        case (let start?, let end?): "\(admin.time(start)) to \(admin.time(end))"
        }
    }
}

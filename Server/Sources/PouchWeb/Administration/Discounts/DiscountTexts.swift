import Foundation
import PouchDomain
import PouchEntities

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

import Foundation
import PouchEntities

/// Says what a discount does, for whom and when.
struct DiscountTexts {
    let desk: Desk
    let categories: [PouchEntities.Category]

    /// The values of a row, without its address.
    func row(_ discount: ManagedDiscount) -> PageValues {
        let terms = discount.terms
        return [
            "code": terms.code, "effectText": effect(terms), "conditionText": shown(conditions(terms)),
            "scopeText": scope(terms), "timesText": times(terms), "status": status(discount),
            "usedText": terms.limit.map { "\(discount.used) of \($0)" } ?? String(discount.used),
        ]
    }

    func usedSentence(_ discount: ManagedDiscount) -> String {
        discount.used == 0 ? "No order used it yet." : desk.count(discount.used, "order used it.", "orders used it.")
    }

    // MARK: Status

    func isInEffect(_ discount: ManagedDiscount) -> Bool {
        let (terms, now) = (discount.terms, desk.site.now)
        return terms.startsAt.map { $0 <= now } ?? true && terms.endsAt.map { now < $0 } ?? true
    }

    func status(_ discount: ManagedDiscount) -> PageValues {
        let (terms, now) = (discount.terms, desk.site.now)
        if let end = terms.endsAt, end <= now { return DeskMood.warn.status("Ended") }
        if let limit = terms.limit, discount.used >= limit { return DeskMood.warn.status("Used up") }
        if let start = terms.startsAt, now < start { return DeskMood.plain.status("Upcoming") }
        return DeskMood.good.status("Active")
    }

    // MARK: Terms

    private func effect(_ terms: DiscountTerms) -> String {
        switch terms.kind {
        case .percentage: "\(Desk.percent(basisPoints: terms.basisPoints ?? 0)) off"
        case .amount: "\(terms.amount.map(desk.price) ?? "") off"
        case .buyXGetY: "Buy \(terms.buy ?? 0), get \(terms.get ?? 0) free"
        case .freeShipping: "Free shipping"
        case .unrecognised: terms.kind.rawValue
        }
    }

    private func conditions(_ terms: DiscountTerms) -> String {
        let minimum = terms.minimum.map { "from \(desk.price($0))" }
        let perCustomer = terms.limitPerAccount.map { $0 == 1 ? "once a customer" : "\($0) times a customer" }
        return [minimum, perCustomer].compactMap(\.self).joined(separator: ", ")
    }

    private func scope(_ terms: DiscountTerms) -> String {
        let names = (terms.categories ?? []).map { id in categories.first { $0.id == id }?.name ?? id }
        let products = (terms.products ?? []).count
        let counted = products == 0 ? [] : [desk.count(products, "product", "products")]
        let parts = names + counted
        return parts.isEmpty ? "Everything" : parts.joined(separator: ", ")
    }

    private func times(_ terms: DiscountTerms) -> String {
        switch (terms.startsAt, terms.endsAt) {
        case (nil, nil): "no end"
        case (let start?, nil): "from \(desk.time(start))"
        case (nil, let end?): "until \(desk.time(end))"
        case (let start?, let end?): "\(desk.time(start)) to \(desk.time(end))"
        }
    }
}

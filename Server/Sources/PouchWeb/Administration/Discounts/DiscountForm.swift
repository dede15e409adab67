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

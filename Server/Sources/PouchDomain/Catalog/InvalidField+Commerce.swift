import Foundation
import PouchEntities

extension Money {
    /// What is wrong with an amount from outside, which must be in the shop's currency and within
    /// `ModelLimits.price`.
    func problems(_ field: String, currency shop: Currency, from lowest: Int64 = 0) -> [InvalidField] {
        var problems: [InvalidField] = []
        if currency != shop {
            problems.append(InvalidField(field + ".currency", .invalid, "The shop's currency is \(shop.code)."))
        }
        if !(lowest...ModelLimits.price.upperBound).contains(amount) {
            problems.append(
                InvalidField(
                    field + ".amount", .outOfRange,
                    "The amount must be from \(lowest) to \(ModelLimits.price.upperBound)."))
        }
        return problems
    }
}

extension InvalidField {
    /// Years that both databases, RFC 3339 and people can do something with.
    private static let times =
        Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 253_402_300_800)

    /// What is wrong with a time that may be open at either end.
    static func period(startsAt: Date?, endsAt: Date?) -> [InvalidField] {
        for (field, time) in [("startsAt", startsAt), ("endsAt", endsAt)] {
            if let time, !times.contains(time) {
                return [InvalidField(field, .outOfRange, "The year must be from 1970 to 9999.")]
            }
        }
        guard let startsAt, let endsAt, endsAt <= startsAt else { return [] }
        return [InvalidField("endsAt", .outOfRange, "The end must come after the beginning.")]
    }
}

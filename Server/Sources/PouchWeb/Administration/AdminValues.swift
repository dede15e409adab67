import Foundation
import PouchDomain
import PouchEntities
import PouchWire

/// The values of the partial `admin-status`.
struct StatusValues: PageValues {
    let text: String
    let isGood, isWarn, isBad: Bool
}

/// The look of a status in the administration.
enum StatusTone {
    case plain, good, warn, bad

    func status(_ text: String) -> StatusValues {
        StatusValues(text: text, isGood: self == .good, isWarn: self == .warn, isBad: self == .bad)
    }
}

extension String {
    /// nil for a blank text, of which a template shows nothing.
    var ifNotEmpty: String? { isEmpty ? nil : self }
}

extension AdminVisit {
    // MARK: Times, prices and numbers

    private var timeZone: TimeZone { site.shop.timeZone }

    /// Such as “14 Mar 2026, 09:12”, in the shop's time zone.
    func time(_ date: Date) -> String { text(date, time: .shortened) }

    /// Such as “14 Mar 2026, 09:12:03”.
    func exactTime(_ date: Date) -> String { text(date, time: .standard) }

    /// Such as “14 Mar 2026”.
    func day(_ date: Date) -> String { text(date, time: .omitted) }

    private func text(_ date: Date, time: Date.FormatStyle.TimeStyle) -> String {
        date.formatted(
            Date.FormatStyle(date: .abbreviated, time: time, locale: visit.language.locale, timeZone: timeZone))
    }

    /// For the attribute of a `time` element.
    func machineTime(_ date: Date) -> String { date.formatted(.iso8601) }

    /// The value of a field for a time; blank for none.
    func field(_ date: Date?) -> String { date.map { LocalTime($0).text(in: timeZone) } ?? "" }

    var timeZoneText: String { "Times are in \(timeZone.identifier)." }

    func price(_ money: Money) -> String { visit.language.price(money) }

    /// With a minus sign; nil for nothing.
    func deduction(_ money: Money) -> String? { money.amount == 0 ? nil : "−" + price(money) }

    /// Such as “12.5 %”.
    static func percent(basisPoints: Int) -> String { percentField(basisPoints: basisPoints) + " %" }

    /// The value of a field for basis points, such as “12.5”.
    static func percentField(basisPoints: Int) -> String {
        let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return String(whole) }
        let places = rest < 10 ? "0\(rest)" : rest % 10 == 0 ? String(rest / 10) : String(rest)
        return "\(whole).\(places)"
    }

    /// “1 unit”, “2 units”.
    func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(visit.language.number(number)) \(number == 1 ? one : many)"
    }

    /// Such as “Colour: Red, Size: M”.
    func options(_ options: [String: String]) -> String {
        options.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }

    // MARK: Forms

    /// The values of the ticked boxes of a list before the form failed; nil for a form that was not sent.
    func ticked(_ name: String) -> Set<String>? {
        visit.form.map { form in Set(form.fields.filter { $0.name.hasPrefix(name + ".") }.map(\.value)) }
    }
}

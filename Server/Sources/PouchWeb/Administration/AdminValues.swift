import Foundation
import PouchDomain
import PouchEntities
import PouchTemplates
import PouchWire

/// The values of the partial `admin-status`.
struct StatusValues: TemplateValues {
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
    /// The text; nil if it is empty, so that a template shows nothing.
    var ifNotEmpty: String? { isEmpty ? nil : self }
}

extension AdminVisit {
    // MARK: Times, prices and numbers

    private var timeZone: TimeZone { site.shop.timeZone }

    /// A time, such as “14 Mar 2026, 09:12”, in the shop's time zone.
    func time(_ date: Date) -> String { text(date, time: .shortened) }

    /// A time with seconds, such as “14 Mar 2026, 09:12:03”.
    func exactTime(_ date: Date) -> String { text(date, time: .standard) }

    /// A day, such as “14 Mar 2026”.
    func day(_ date: Date) -> String { text(date, time: .omitted) }

    private func text(_ date: Date, time: Date.FormatStyle.TimeStyle) -> String {
        date.formatted(
            Date.FormatStyle(date: .abbreviated, time: time, locale: visit.language.locale, timeZone: timeZone))
    }

    /// A time for the attribute of a `time` element.
    func machineTime(_ date: Date) -> String { date.formatted(.iso8601) }

    /// The field value for a time; blank for none.
    func field(_ date: Date?) -> String { date.map { LocalTime($0).text(in: timeZone) } ?? "" }

    var timeZoneText: String { "Times are in \(timeZone.identifier)." }

    func price(_ money: Money) -> String { visit.language.price(money) }

    /// An amount with a minus sign; nil for zero.
    func deduction(_ money: Money) -> String? { money.amount == 0 ? nil : "−" + price(money) }

    /// A percentage, such as “12.5 %”.
    static func percent(basisPoints: Int) -> String { percentField(basisPoints: basisPoints) + " %" }

    /// The field value for basis points, such as “12.5”.
    static func percentField(basisPoints: Int) -> String {
        let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return String(whole) }
        let places = rest < 10 ? "0\(rest)" : rest % 10 == 0 ? String(rest / 10) : String(rest)
        return "\(whole).\(places)"
    }

    /// A number with a noun, such as “1 unit” or “2 units”.
    func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(visit.language.number(number)) \(number == 1 ? one : many)"
    }

    /// Options as text, such as “Colour: Red, Size: M”.
    func options(_ options: [String: String]) -> String {
        options.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }

    // MARK: Forms

    /// The values of the ticked checkboxes in the failed form; nil if no form was sent.
    func ticked(_ name: String) -> Set<String>? {
        visit.form.map { form in Set(form.fields.filter { $0.name.hasPrefix(name + ".") }.map(\.value)) }
    }
}

import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP

/// Amounts and times as the administration writes them, in the shop's time zone.
extension Desk {
    private var zone: TimeZone { site.shop.timeZone }

    func price(_ money: Money) -> String { visit.language.price(money) }

    /// With a minus sign; nil for nothing.
    func deduction(_ money: Money) -> String? { money.amount == 0 ? nil : "−" + price(money) }

    /// Such as “14 March 2026 at 10:12”.
    func time(_ date: Date) -> String { visit.language.time(date, in: zone) }

    /// Such as “14 March 2026”.
    func day(_ date: Date) -> String { visit.language.day(date, in: zone) }

    /// For tables, such as “14 Mar 2026, 10:12”.
    func shortTime(_ date: Date) -> String { styled(date, .abbreviated, .shortened) }

    /// For tables, such as “14 Mar 2026”.
    func shortDay(_ date: Date) -> String { styled(date, .abbreviated, .omitted) }

    private func styled(
        _ date: Date, _ day: Date.FormatStyle.DateStyle, _ time: Date.FormatStyle.TimeStyle
    ) -> String {
        date.formatted(Date.FormatStyle(date: day, time: time, locale: visit.language.locale, timeZone: zone))
    }

    /// For the attribute of a `time` element.
    func machineTime(_ date: Date) -> String { date.formatted(.iso8601) }

    /// “1 unit”, “2 units”.
    func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(visit.language.number(number)) \(number == 1 ? one : many)"
    }

    // MARK: Values

    /// The name of a delivery method; its id if the shop has it no more.
    func deliveryMethod(_ id: String) -> String {
        id == ShippingMethod.courierId ? "Kangaroo" : site.shop.shipping.first { $0.id == id }?.name ?? id
    }

    func options(_ options: [String: String]) -> String {
        options.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }

    /// The links to the next page of a list and to its first.
    ///
    /// - Parameters:
    ///   - parameters: of the list's address, without its cursor.
    ///   - summary: what is on this page.
    func pager(
        _ next: String?, at path: String, _ parameters: [(name: String, value: String?)], _ summary: String
    ) -> any Sendable {
        let isFirst = visit.query("cursor") == nil
        guard next != nil || !isFirst else { return false }
        return [
            "firstURL": isFirst ? false as any Sendable : PagePath.adding(parameters, to: path),
            "nextURL": next.map { PagePath.adding(parameters + [("cursor", $0)], to: path) } ?? false as any Sendable,
            "summary": summary,
        ] as PageValues
    }
}

/// A word about the state of something, and how it looks.
enum DeskStatus {
    case plain(String)
    case good(String)
    case warn(String)
    case bad(String)

    /// For the partial `admin-status`.
    var values: PageValues {
        switch self {
        case .plain(let text): ["text": text, "isGood": false, "isWarn": false, "isBad": false]
        case .good(let text): ["text": text, "isGood": true, "isWarn": false, "isBad": false]
        case .warn(let text): ["text": text, "isGood": false, "isWarn": true, "isBad": false]
        case .bad(let text): ["text": text, "isGood": false, "isWarn": false, "isBad": true]
        }
    }
}

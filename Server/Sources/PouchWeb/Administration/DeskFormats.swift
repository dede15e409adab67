import Foundation
import PouchDomain
import PouchEntities

/// Amounts, numbers and names as the pages of orders and customers write them.
extension Desk {
    /// With a minus sign; nil for nothing.
    func deduction(_ money: Money) -> String? { money.amount == 0 ? nil : "−" + price(money) }

    /// For the attribute of a `time` element.
    func machineTime(_ date: Date) -> String { date.formatted(.iso8601) }

    /// “1 unit”, “2 units”.
    func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(visit.language.number(number)) \(number == 1 ? one : many)"
    }

    /// The name of a delivery method; its id if the shop has it no more.
    func deliveryMethod(_ id: String) -> String {
        id == ShippingMethod.courierId ? "Kangaroo" : site.shop.shipping.first { $0.id == id }?.name ?? id
    }

    func options(_ options: [String: String]) -> String {
        options.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
}

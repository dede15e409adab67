import Foundation
import PouchDomain
import PouchEntities

/// A plain-text page to pack with a parcel: the address and the contents, without prices.
struct PackingSlip {
    /// Characters per line, so that the page fits on paper in a monospaced font.
    static let width = 78

    let order: Order
    let timeZone: TimeZone

    var text: String {
        let rule = String(repeating: "-", count: Self.width)
        var lines = [Self.line("PACKING SLIP", "Order \(order.number)"), Self.line("", placedAt), rule, ""]
        if let shipping = order.shipping {
            lines += ["Ship to"] + shipping.address.lines().flatMap { Self.wrapped($0, indent: 4) }
            lines += ["", "Delivery: \(shipping.methodId.visible)"]
        } else {
            lines += ["The buyer's address was deleted."]
        }
        if let tracking = order.tracking {
            lines += Self.wrapped("Tracking: \(tracking.carrier) \(tracking.number)", indent: 0)
        }
        lines += ["", rule] + items + [rule, ""]
        let units = order.linesToPack.reduce(0) { $0 + $1.quantity - $1.refundedQuantity }
        lines += [Self.line("[ ] checked", "\(units) \(units == 1 ? "unit" : "units")")]
        return lines.joined(separator: "\n") + "\n"
    }

    private var placedAt: String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone).year().month().day()
        return "placed on " + order.createdAt.formatted(style)
    }

    /// A line for each SKU with the units to pack.
    private var items: [String] {
        guard !order.linesToPack.isEmpty else { return [order.nothingToPack] }
        return order.linesToPack.flatMap { line in
            let units = String(line.quantity - line.refundedQuantity)
            let padding = String(repeating: " ", count: max(0, 4 - units.count))
            let details = ["SKU " + line.sku, line.options.optionsText].filter { !$0.isEmpty }.joined(separator: ", ")
            var lines = Self.wrapped(line.name, indent: 10)
            lines[0] = "[ ] \(padding)\(units)  " + lines[0].dropFirst(10)
            return lines + Self.wrapped(details, indent: 10)
        }
    }

    private static func line(_ leading: String, _ trailing: String) -> String {
        leading + String(repeating: " ", count: max(1, width - leading.count - trailing.count)) + trailing
    }

    private static func wrapped(_ text: String, indent: Int) -> [String] {
        text.visible.wrapped(to: width - indent, breaksWords: true).map { String(repeating: " ", count: indent) + $0 }
    }
}

extension [String: String] {
    /// Options as text, such as “Colour: Red, Size: M”.
    package var optionsText: String {
        sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
}

extension Order {
    /// The lines with units that were not refunded; none of a cancelled order.
    package var linesToPack: [OrderLine] {
        status == .cancelled ? [] : lines.filter { $0.quantity > $0.refundedQuantity }
    }

    /// The text of a slip without lines.
    package var nothingToPack: String {
        (status == .cancelled ? "The order is cancelled. " : "") + "Nothing to send."
    }
}

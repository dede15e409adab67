import Foundation
import PouchEntities
import PouchTerminal

/// How an order is shown, on each screen that shows one.
@MainActor
struct OrderElements {
    let order: Order
    let timeZone: TimeZone

    var heading: [FormElement] {
        [
            .block(
                Row(
                    StyledText(order.number, .bold) + "  " + StyledText(order.status),
                    StyledText(TimeText.minutes(order.createdAt, timeZone), .dim))),
            .blank,
        ]
    }

    var lines: [FormElement] {
        order.lines.map { line in
            .block(Row(LineRow.leading(line.name, line.options, quantity: line.quantity), StyledText(line.lineTotal)))
        } + [.blank]
    }

    var sums: [FormElement] {
        var elements = FormElement.sums(TotalsText.rows(order.totals)) + [.blank]
        if order.payment.refunded.amount > 0 {
            elements.append(.block(Row("Refunded", StyledText(order.payment.refunded, .bold))))
        }
        if let shipping = order.shipping { elements.append(.text(StyledText(AddressText.line(shipping), .dim))) }
        if let email = order.email { elements.append(.text(StyledText("E-mail: \(email)", .dim))) }
        return elements + [.blank]
    }

    /// Where it has been, the latest last.
    var history: [FormElement] {
        order.history.map { event in
            .text(StyledText(TimeText.minutes(event.at, timeZone), .dim) + "  " + StyledText(event.status))
        }
    }
}

import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalOrderScreen: TerminalScreen, OrderScreen {
    var orderId = "" { didSet { redraw() } }
    var order = LoadState<Order>() { didSet { redraw() } }

    override var title: String { order.value.map { "Order \($0.number)" } ?? "Order" }

    override var elements: [FormElement] {
        loaded(order) { order in
            let parts = OrderElements(order: order, timeZone: environment.timeZone)
            return parts.heading + lines(order) + parts.sums + parts.history + [.blank] + cancelElements(order)
        }
    }

    private func lines(_ order: Order) -> [FormElement] {
        order.lines.map { line in
            .row(
                "line \(line.sku)", LineRow.leading(line.name, line.options, quantity: line.quantity),
                StyledText(line.lineTotal)
            ) { [unowned self] in buyAgain(line) }
        } + [.text(StyledText("Enter on a line buys it again.", .dim)), .blank]
    }

    private func cancelElements(_ order: Order) -> [FormElement] {
        guard [.pending, .paid].contains(order.status) else { return [] }
        return [.button("cancel", "Cancel the order") { [unowned self] in cancel(order) }]
    }

    private func buyAgain(_ line: OrderLine) {
        perform("Going to the payment", (any PurchaseMessages).self) {
            try await $0.purchaseNow(sku: line.sku, quantity: line.quantity)
        }
    }

    private func cancel(_ order: Order) {
        ask("Cancel the order \(order.number)? It is refunded in full.", yes: "cancel it", isFinal: true) {
            [unowned self] in
            perform("Cancelling", (any OrderMessages).self) { try await $0.orderCancel() }
        }
    }
}

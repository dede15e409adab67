import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalOrderScreen: TerminalScreen, OrderScreen {
    var orderId = "" { didSet { redraw() } }
    var order = LoadState<Order>() { didSet { redraw() } }
    var ride: Ride? { didSet { redraw() } }

    override var title: String { order.value.map { "Order \($0.number)" } ?? "Order" }

    override var elements: [FormElement] {
        loaded(order) { order in
            let parts = OrderElements(order: order, timeZone: environment.timeZone)
            return parts.heading + deliveryElements(order) + lines(order) + parts.sums + parts.history + [.blank]
                + cancelElements(order)
        }
    }

    /// The ride that brings it, or what to choose where none does.
    private func deliveryElements(_ order: Order) -> [FormElement] {
        guard let failure = order.deliveryFailure else {
            return ride.flatMap(RideLine.text).map { [.text($0), .blank] } ?? []
        }
        return [
            .text(StyledText(DeliveryFailureText.sentence(failure.reason), .red)),
            .text("Choose another way. What it costs less is refunded; what it costs more is not charged."),
        ]
            + failure.methods.map { method in
                .row(
                    "method \(method.id)", StyledText(method.name) + StyledText("  \(method.estimate)", .dim),
                    StyledText(method.price)
                ) { [unowned self] in changeDelivery(of: order, to: method) }
            } + [.blank]
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

    private func changeDelivery(of order: Order, to method: ShippingMethod) {
        ask("Send the order \(order.number) by \(method.name)?", yes: "send it", isFinal: true) { [unowned self] in
            perform("Changing the delivery", (any OrderMessages).self, .committed) {
                try await $0.orderChangeDelivery(methodId: method.id)
            }
        }
    }

    private func cancel(_ order: Order) {
        ask("Cancel the order \(order.number)? It is refunded in full.", yes: "cancel it", isFinal: true) {
            [unowned self] in
            perform("Cancelling", (any OrderMessages).self) { try await $0.orderCancel() }
        }
    }
}

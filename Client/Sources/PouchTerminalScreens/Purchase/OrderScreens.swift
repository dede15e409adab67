import Foundation
import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal

// MARK: - After a purchase

final class TerminalConfirmationScreen: TerminalScreen, ConfirmationScreen {
    var order = LoadState<Order>() { didSet { redraw() } }

    override var title: String { "Thank you" }

    override var elements: [FormElement] {
        loaded(order) { order in
            let lines = order.lines.map { FormElement.block(Row(LineText.leading($0), StyledText($0.lineTotal))) }
            return [.text(sentence(order)), .blank] + heading(order) + lines + [.blank] + sums(order) + [
                .button("status", "Show status") { [unowned self] in perform("Opening", sending: ShowOrderStatus()) },
                home,
            ]
        }
    }

    private func sentence(_ order: Order) -> StyledText {
        order.status == .pending
            ? StyledText("The order is placed. Its payment is still pending.", .yellow)
            : StyledText("The order is placed and paid. Thank you!", .green)
    }
}

final class TerminalStatusScreen: TerminalScreen, StatusScreen {
    var order = LoadState<Order>() { didSet { redraw() } }

    override var title: String { "Status" }

    override var elements: [FormElement] {
        loaded(order) { order in
            heading(order) + steps(order)
                + [.blank, .button("refresh", "Refresh") { [unowned self] in reload() }, home]
        }
    }

    /// The usual steps of an order, with the times of those reached, followed by any other status it has had.
    private func steps(_ order: Order) -> [FormElement] {
        let usual: [(status: OrderStatus, name: String)] = [
            (.pending, "placed"), (.paid, "paid"), (.fulfilled, "on its way"), (.delivered, "delivered"),
        ]
        let reached = Dictionary(order.history.map { ($0.status, $0.at) }) { first, _ in first }
        let rows = usual.map { status, name in
            let isReached = reached[status] != nil || order.status == status
            return StyledText(isReached ? "● " : "○ ", isReached ? .green : .dim)
                + StyledText(name, order.status == status ? .bold : .plain)
                + StyledText(reached[status].map { "  " + time($0) } ?? "", .dim)
        }
        let others = order.history.filter { event in !usual.contains { $0.status == event.status } }.map { event in
            StyledText("● ", .red) + StyledText(event.status) + StyledText("  " + time(event.at), .dim)
        }
        return (rows + others).map { .text($0) }
    }
}

// MARK: - Earlier orders

final class TerminalOrdersScreen: TerminalScreen, OrdersScreen {
    var orders = LoadState<Page<Order>>() { didSet { redraw() } }

    override var title: String { "Orders" }
    override var hints: [KeyHint] { [("Enter", "open")] }

    override var elements: [FormElement] {
        loaded(orders) { page in
            guard !page.items.isEmpty else { return [.text("There are no orders yet.")] }
            let rows = page.items.map { order in
                FormElement.row(
                    "order \(order.id)",
                    StyledText(order.number, .bold) + "  " + StyledText(time(order.createdAt), .dim) + "  "
                        + StyledText(order.status),
                    StyledText(order.totals.total)
                ) { [unowned self] in go(to: .order(id: order.id)) }
            }
            return rows + more(after: page.nextCursor, ShowMoreOrders())
        }
    }
}

final class TerminalOrderScreen: TerminalScreen, OrderScreen {
    var orderId = "" { didSet { redraw() } }
    var order = LoadState<Order>() { didSet { redraw() } }
    var ride: Ride? { didSet { redraw() } }

    override var title: String { order.value.map { "Order \($0.number)" } ?? "Order" }

    override var elements: [FormElement] {
        loaded(order) { order in
            heading(order) + deliveryElements(order) + lines(order) + sums(order) + history(order) + [.blank]
                + cancelElements(order)
        }
    }

    /// The ride that delivers the order or, after a failed delivery, the methods to choose from.
    private func deliveryElements(_ order: Order) -> [FormElement] {
        guard let failure = order.deliveryFailure else {
            return ride.flatMap(DeliveryText.line).map { [.text($0), .blank] } ?? []
        }
        return [
            .text(StyledText(DeliveryText.sentence(failure.reason), .red)),
            .text("Choose another shipping method. If it is cheaper, the difference is refunded."),
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
            .row("line \(line.sku)", LineText.leading(line), StyledText(line.lineTotal)) { [unowned self] in
                buyAgain(line)
            }
        } + [.note("Press Enter on a line to buy it again."), .blank]
    }

    private func history(_ order: Order) -> [FormElement] {
        order.history.map { .text(StyledText(time($0.at), .dim) + "  " + StyledText($0.status)) }
    }

    private func cancelElements(_ order: Order) -> [FormElement] {
        guard [.pending, .paid].contains(order.status) else { return [] }
        return [.button("cancel", "Cancel order") { [unowned self] in cancel(order) }]
    }

    private func buyAgain(_ line: OrderLine) {
        perform("Opening the checkout") { [unowned self] in
            try await send(BuyNow(sku: line.sku, quantity: line.quantity, from: self))
        }
    }

    private func changeDelivery(of order: Order, to method: ShippingMethod) {
        ask("Send order \(order.number) by \(method.name)?", yes: "send it", no: "not now", isFinal: true) {
            [unowned self] in
            perform("Changing the delivery", .committed, sending: ChangeDelivery(methodId: method.id))
        }
    }

    private func cancel(_ order: Order) {
        ask("Cancel order \(order.number)? It will be refunded in full.", yes: "cancel it", isFinal: true) {
            [unowned self] in
            perform("Cancelling", sending: CancelOrder())
        }
    }
}

// MARK: - Shared elements

extension TerminalScreen {
    fileprivate var home: FormElement {
        .button("home", "Back to the shop") { [unowned self] in go(to: .home) }
    }

    fileprivate func heading(_ order: Order) -> [FormElement] {
        let name = StyledText(order.number, .bold) + "  " + StyledText(order.status)
        return [.block(Row(name, StyledText(time(order.createdAt), .dim))), .blank]
    }

    fileprivate func sums(_ order: Order) -> [FormElement] {
        var elements = FormElement.sums(TotalsText.rows(order.totals)) + [.blank]
        if order.payment.refunded.amount > 0 {
            elements.append(.block(Row("Refunded", StyledText(order.payment.refunded, .bold))))
        }
        let notes = [
            order.shipping.map(AddressText.line), order.tracking.map { "Tracking: \($0.carrier) \($0.number)" },
            order.tracking?.url, order.email.map { "E-mail: \($0)" },
        ]
        return elements + notes.compactMap(\.self).map { .note($0) } + [.blank]
    }
}

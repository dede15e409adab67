import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalStatusScreen: TerminalScreen, StatusScreen {
    var order = LoadState<Order>() { didSet { redraw() } }

    override var title: String { "Status" }

    override var elements: [FormElement] {
        loaded(order) { order in
            OrderElements(order: order, timeZone: environment.timeZone).heading + steps(order) + [
                .blank,
                .button("refresh", "Look again") { [unowned self] in refresh() },
                .button("home", "Back to the shop") { [unowned self] in go(to: .home) },
            ]
        }
    }

    /// The usual way of an order, and where this one is on it; what left that way is told as it went.
    private func steps(_ order: Order) -> [FormElement] {
        let usual: [OrderStatus] = [.pending, .paid, .fulfilled, .delivered]
        let reached = Dictionary(order.history.map { ($0.status, $0.at) }) { first, _ in first }
        let rows = usual.map { status in
            let time = reached[status].map { "  " + TimeText.minutes($0, environment.timeZone) } ?? ""
            let isReached = reached[status] != nil || order.status == status
            return StyledText(isReached ? "● " : "○ ", isReached ? .green : .dim)
                + StyledText(name(status), order.status == status ? .bold : .plain) + StyledText(time, .dim)
        }
        let left = order.history.filter { !usual.contains($0.status) }.map { event in
            StyledText("● ", .red) + StyledText(event.status)
                + StyledText("  " + TimeText.minutes(event.at, environment.timeZone), .dim)
        }
        return (rows + left).map { .text($0) }
    }

    private func name(_ status: OrderStatus) -> String {
        switch status {
        case .pending: "placed"
        case .paid: "paid"
        case .fulfilled: "on its way"
        default: "delivered"
        }
    }
}

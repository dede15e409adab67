import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalOrdersScreen: TerminalScreen, OrdersScreen {
    var orders = LoadState<Page<Order>>() { didSet { redraw() } }

    override var title: String { "Orders" }
    override var hints: [(key: String, meaning: String)] { [("Enter", "open")] }

    override var elements: [FormElement] {
        loaded(orders) { page in
            guard !page.items.isEmpty else { return [.text("There are no orders yet.")] }
            let rows = page.items.map { order in
                FormElement.row(
                    "order \(order.id)",
                    StyledText(order.number, .bold) + "  "
                        + StyledText(TimeText.minutes(order.createdAt, environment.timeZone), .dim) + "  "
                        + StyledText(order.status),
                    StyledText(order.totals.total)
                ) { [unowned self] in go(to: .order(id: order.id)) }
            }
            return page.nextCursor == nil
                ? rows : rows + [.button("more", "Show more") { [unowned self] in showMore() }]
        }
    }

    private func showMore() {
        perform("Loading more", (any OrderMessages).self) { try await $0.ordersShowMore() }
    }
}

import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalConfirmationScreen: TerminalScreen, ConfirmationScreen {
    var order = LoadState<Order>() { didSet { redraw() } }

    override var title: String { "Thank you" }

    override var elements: [FormElement] {
        loaded(order) { order in
            let parts = OrderElements(order: order, timeZone: environment.timeZone)
            return [.text(sentence(order)), .blank] + parts.heading + parts.lines + parts.sums + [
                .button("status", "How the order stands") { [unowned self] in showStatus() },
                .button("home", "Back to the shop") { [unowned self] in go(to: .home) },
            ]
        }
    }

    private func sentence(_ order: Order) -> StyledText {
        order.status == .pending
            ? StyledText("The order is placed; its payment is still being settled.", .yellow)
            : StyledText("The order is placed and paid. Thank you!", .green)
    }

    private func showStatus() {
        perform("Looking", (any PurchaseMessages).self) { try await $0.purchaseShowStatus() }
    }
}

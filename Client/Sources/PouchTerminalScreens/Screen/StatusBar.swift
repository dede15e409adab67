import PouchEntities
import PouchScreens
import PouchTerminal

/// The uppermost row: where one is, who one is, what is in the cart, and whether the shop can be reached.
struct StatusBar: Block {
    /// Columns of a name at most, so that what comes after it is seen.
    private static let nameColumns = 20

    let title: String
    let status: ShopStatus

    func height(width: Int) -> Int { 1 }

    func draw(on canvas: inout Canvas, in area: Area) {
        Row(
            StyledText(" Pouch", .bold) + "  \(title)", StyledText(facts.joined(separator: " · ") + " "),
            style: .reversed
        ).draw(on: &canvas, in: area)
    }

    private var facts: [String] {
        var facts = status.connectivity == .offline ? ["OFFLINE"] : []
        switch status.visitor {
        case .customer(let profile): facts.append(StyledText(profile.name).truncated(to: Self.nameColumns).plain)
        case .guest: facts.append("guest")
        case .nobody: break
        }
        facts.append("Cart \(status.cart.unitCount.map { "\($0)" } ?? "–")")
        if status.cart.pendingChanges > 0 { facts.append("\(status.cart.pendingChanges) to send") }
        return facts
    }
}

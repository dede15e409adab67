import PouchEntities
import PouchTerminal

/// One line of a cart or an order.
enum LineRow {
    static func leading(_ name: String, _ options: [String: String], quantity: Int) -> StyledText {
        StyledText("\(quantity) × ", .dim) + StyledText(OptionsText.name(name, options))
    }

    /// The sum, and where fewer are left than wanted, how many.
    static func trailing(_ line: CartLine) -> StyledText {
        (line.available < line.quantity ? StyledText(stock: line.available) + "  " : "") + StyledText(line.lineTotal)
    }
}

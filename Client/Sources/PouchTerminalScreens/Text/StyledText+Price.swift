import PouchEntities
import PouchTerminal

extension StyledText {
    /// The price, after the one before a reduction, so that prices in a column end below each other.
    init(price: Money, before: Money?) {
        self.init(price, .bold)
        if let before, before != price { self = StyledText("was \(before.decimal)  ", .dim) + self }
    }
}

import PouchEntities
import PouchTerminal

extension StyledText {
    init(_ money: Money, _ style: Style = .plain) {
        self.init("\(money.decimal) \(money.currency.code)", style)
    }

    /// The price, after the one before a reduction, struck out.
    init(price: Money, before: Money?) {
        self.init(price, .bold)
        if let before, before != price { self = StyledText(before.decimal, Style([.dim, .struckOut])) + " " + self }
    }
}

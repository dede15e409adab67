import PouchEntities
import PouchTerminal

extension StyledText {
    init(_ money: Money, _ style: Style = .plain) {
        self.init("\(money.decimal) \(money.currency.code)", style)
    }

    /// The price, after the one before a reduction.
    init(price: Money, before: Money?) {
        self.init(price, .bold)
        if let before, before != price { self = StyledText("was \(before.decimal)  ", .dim) + self }
    }
}

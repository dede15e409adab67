import PouchEntities
import PouchTerminal

extension StyledText {
    public init(_ money: Money, _ style: Style = .plain) {
        self.init("\(money.decimal) \(money.currency.code)", style)
    }
}

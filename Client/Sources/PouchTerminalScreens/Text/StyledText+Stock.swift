import PouchEntities
import PouchTerminal

extension StyledText {
    /// How much of something there is, as shops put it.
    public init(stock available: Int) {
        switch available {
        case ...0: self.init("sold out", .red)
        case ...Availability.lowStock: self.init("only \(available) left", .yellow)
        default: self.init("in stock", .green)
        }
    }
}

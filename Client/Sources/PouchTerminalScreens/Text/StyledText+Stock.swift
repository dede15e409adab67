import PouchEntities
import PouchTerminal

extension StyledText {
    /// How much of something there is, as shops put it.
    init(stock available: Int) {
        switch available {
        case ...0: self.init("sold out", .color(.red))
        case ...Availability.lowStock: self.init("only \(available) left", .color(.yellow))
        default: self.init("in stock", .color(.green))
        }
    }
}

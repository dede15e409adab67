import PouchEntities
import PouchTerminal

extension StyledText {
    public init(_ status: OrderStatus) {
        switch status {
        case .pending: self.init("payment pending", .yellow)
        case .paid: self.init("paid", .green)
        case .fulfilled: self.init("on its way", .green)
        case .delivered: self.init("delivered", .green)
        case .cancelled: self.init("cancelled", .red)
        case .refunded: self.init("refunded", .red)
        case .partiallyRefunded: self.init("partly refunded", .yellow)
        case .unrecognised: self.init("unknown")
        }
    }
}

import PouchEntities
import PouchTerminal

extension StyledText {
    init(_ status: OrderStatus) {
        switch status {
        case .pending: self.init("payment pending", .color(.yellow))
        case .paid: self.init("paid", .color(.green))
        case .fulfilled: self.init("on its way", .color(.green))
        case .delivered: self.init("delivered", .color(.green))
        case .cancelled: self.init("cancelled", .color(.red))
        case .refunded: self.init("refunded", .color(.red))
        case .partiallyRefunded: self.init("partly refunded", .color(.yellow))
        case .unrecognised: self.init("unknown")
        }
    }
}

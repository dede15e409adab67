/// Who takes part in a model of the checkout; each is a process of its own.
enum Player: Sendable {
    /// Pays for what is in the cart, with the code.
    case checkout
    /// Buys the unit without the cart.
    case buy(key: String)
    /// Cancels the order that is there.
    case cancel
    /// Gives back more than half of what was paid for the order that is there.
    case refund
    /// Lets the time pass after which a settlement takes hold of an order, and settles once.
    case settle
    /// Lets the time pass for which units are held.
    case hold

    /// Of the request, where it is one.
    var key: String? {
        switch self {
        case .checkout: "checkout"
        case .buy(let key): key
        case .cancel: "cancel"
        case .refund: "refund"
        case .settle, .hold: nil
        }
    }

    var buys: Bool {
        switch self {
        case .checkout, .buy: true
        case .cancel, .refund, .settle, .hold: false
        }
    }
}

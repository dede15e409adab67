import PouchEntities

/// How changes of a cart that nobody made are told.
public enum ChangeText {
    /// - Parameter name: what the line is called.
    public static func sentence(_ change: CartChange, name: String) -> String {
        let quantities = "from \(change.fromQuantity ?? 0) to \(change.toQuantity ?? 0)"
        let prices = "from \(change.fromPrice?.decimal ?? "?") to \(change.toPrice?.decimal ?? "?")"
        return switch change.reason {
        case .priceChanged: "\(name): the price went \(prices)."
        case .quantityReduced: "\(name): the quantity went \(quantities), for lack of stock."
        case .removed: "\(name): is no longer sold and was removed."
        case .merged where change.fromQuantity == 0:
            "\(name): \(change.toQuantity ?? 0) came along from the guest's cart."
        case .merged: "\(name): joined with the guest's cart, \(quantities)."
        case .unrecognised: "\(name): changed."
        }
    }
}

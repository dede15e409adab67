/// A change to the lines of a cart, which can be made while the server cannot be reached.
public enum CartEdit: Sendable, Hashable {
    /// 1...999
    case add(sku: String, quantity: Int)
    /// 0...999; 0 removes the line.
    case set(sku: String, quantity: Int)
    case remove(sku: String)
    case clear

    /// nil where it is about the whole cart.
    public var sku: String? {
        switch self {
        case .add(let sku, _), .set(let sku, _), .remove(let sku): sku
        case .clear: nil
        }
    }
}

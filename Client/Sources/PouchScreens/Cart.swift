import PouchCoordination
import PouchEntities

/// The cart: lines, totals, recent changes.
///
/// Sends `EditCart`, `ApplyDiscount`, `RemoveDiscount`, `BeginCheckout`, and a `ShopPage` for a product.
public protocol CartScreen: ShopScreen {
    /// The cart, with prices and stock that are refreshed while it is on screen.
    var cart: LoadState<Cart> { get set }
    /// Changes since the cart appeared that the user did not make: by the shop, or when offline edits were sent.
    var changes: [CartChange] { get set }
}

/// A summary of the cart, as every screen shows it.
public struct CartBadge: Sendable, Hashable {
    /// The number of units; nil while unknown.
    public var unitCount: Int?
    /// The number of offline edits that have not reached the shop.
    public var pendingChanges: Int

    public init(unitCount: Int? = nil, pendingChanges: Int = 0) {
        self.unitCount = unitCount
        self.pendingChanges = pendingChanges
    }
}

// MARK: - Messages

/// Edits the lines of the cart, from any screen. The answer is the summary of the cart afterwards.
public enum EditCart: Message, Hashable {
    public typealias Answer = CartBadge

    /// Adds units to the line of a SKU.
    case add(sku: String, quantity: Int = 1)
    /// Sets the quantity of a line; 0 removes it.
    case set(sku: String, quantity: Int)
    case remove(sku: String)
    /// Removes all lines.
    case clear
}

public struct ApplyDiscount: Message, Hashable {
    public let code: String

    public init(code: String) {
        self.code = code
    }
}

public struct RemoveDiscount: Message, Hashable {
    public init() {}
}

extension Responder {
    /// Adds one unit; for a product with several variants, goes to the product, where the user chooses.
    ///
    /// - Returns: the summary of the cart afterwards; nil if the product was opened instead.
    @discardableResult
    public func addToCart(_ product: Product, fileID: String = #fileID, line: Int = #line) async throws -> CartBadge? {
        guard product.variants.count == 1 else {
            try await receive(ShopPage.product(handle: product.handle), fileID: fileID, line: line)
            return nil
        }
        // A coordinator that sends it may also handle it.
        return try await receive(EditCart.add(sku: product.variants[0].sku), fileID: fileID, line: line)
    }
}

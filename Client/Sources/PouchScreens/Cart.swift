import PouchCoordination
import PouchEntities

/// The cart: lines, totals, recent changes.
///
/// Sends `CartMessages`, `CheckoutMessages` to go on to the delivery, and `NavigationMessages` for a product.
public protocol CartScreen: ShopScreen {
    /// The cart, with prices and stock that are refreshed while it is on screen.
    var cart: LoadState<Cart> { get set }
    /// Changes since the cart came on screen that the user did not make: by the shop, or when offline edits were sent.
    var changes: [CartChange] { get set }
}

/// Edits of the cart, from any screen.
@MainActor
public protocol CartMessages {
    /// Adds units of a SKU.
    ///
    /// - Returns: the contents of the cart afterwards.
    @discardableResult
    func cartAdd(sku: String, quantity: Int) async throws -> CartBadge
    /// Sets the quantity of a line; 0 removes it.
    func cartSet(sku: String, quantity: Int) async throws
    func cartRemove(sku: String) async throws
    func cartClear() async throws
    func cartApplyDiscount(code: String) async throws
    func cartRemoveDiscount() async throws
}

extension Responder {
    /// Adds one unit; for a product with several variants, goes to the product, where the user chooses.
    ///
    /// - Returns: the contents of the cart afterwards; nil if the product was opened instead.
    @discardableResult
    public func cartAdd(_ product: Product, fileID: String = #fileID, line: Int = #line) async throws -> CartBadge? {
        guard product.variants.count == 1 else {
            try await choose(product, fileID, line)
            return nil
        }
        // A coordinator that sends it may handle it, too.
        return try await receive(as: (any CartMessages).self, fileID: fileID, line: line) {
            try await $0.cartAdd(sku: product.variants[0].sku, quantity: 1)
        }
    }

    @discardableResult
    public func cartAdd(sku: String, quantity: Int = 1, fileID: String = #fileID, line: Int = #line) async throws
        -> CartBadge
    {
        try await send(to: (any CartMessages).self, fileID: fileID, line: line) {
            try await $0.cartAdd(sku: sku, quantity: quantity)
        }
    }

    public func cartSet(sku: String, quantity: Int, fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any CartMessages).self, fileID: fileID, line: line) {
            try await $0.cartSet(sku: sku, quantity: quantity)
        }
    }

    public func cartRemove(sku: String, fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any CartMessages).self, fileID: fileID, line: line) { try await $0.cartRemove(sku: sku) }
    }

    public func cartClear(fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any CartMessages).self, fileID: fileID, line: line) { try await $0.cartClear() }
    }

    public func cartApplyDiscount(code: String, fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any CartMessages).self, fileID: fileID, line: line) {
            try await $0.cartApplyDiscount(code: code)
        }
    }

    public func cartRemoveDiscount(fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any CartMessages).self, fileID: fileID, line: line) { try await $0.cartRemoveDiscount() }
    }
}

extension CartMessages where Self: Responder {
    @discardableResult
    public func cartAdd(sku: String) async throws -> CartBadge {
        try await cartAdd(sku: sku, quantity: 1)
    }

    @discardableResult
    public func cartAdd(sku: String, quantity: Int) async throws -> CartBadge {
        try await above.cartAdd(sku: sku, quantity: quantity)
    }

    public func cartSet(sku: String, quantity: Int) async throws {
        try await above.cartSet(sku: sku, quantity: quantity)
    }

    public func cartRemove(sku: String) async throws {
        try await above.cartRemove(sku: sku)
    }

    public func cartClear() async throws {
        try await above.cartClear()
    }

    public func cartApplyDiscount(code: String) async throws {
        try await above.cartApplyDiscount(code: code)
    }

    public func cartRemoveDiscount() async throws {
        try await above.cartRemoveDiscount()
    }
}

/// The contents of the cart in short, as every screen shows them.
public struct CartBadge: Sendable, Hashable {
    /// The number of units; nil while it is unknown.
    public var unitCount: Int?
    /// The number of offline edits that wait for the shop.
    public var pendingChanges: Int

    public init(unitCount: Int? = nil, pendingChanges: Int = 0) {
        self.unitCount = unitCount
        self.pendingChanges = pendingChanges
    }
}

import PouchCoordination
import PouchEntities

/// The delivery: address and method. Sends `CheckoutMessages`.
public protocol ShippingScreen: ShopScreen {
    /// The suggested address; nil where none is known.
    var address: Address? { get set }
    /// The account's address book.
    var savedAddresses: [Address] { get set }
    /// The shipping methods to the place of the last `checkoutFindMethods`.
    var methods: LoadState<[ShippingMethod]> { get set }
    /// The results of the last `checkoutFindPlaces`.
    var places: LoadState<[NamedLocation]> { get set }
    /// The method that was chosen before.
    var methodId: String? { get set }
}

/// The review of a purchase, and its payment. Sends `PaymentMessages`, and `NavigationMessages` with `.signIn` for a
/// guest, who returns here after signing in.
public protocol PaymentScreen: ShopScreen {
    var purchase: LoadState<Purchase> { get set }
    /// Whether an e-mail address is required, as for a guest.
    var needsEmail: Bool { get set }
}

/// The contents and the price of a purchase before its payment.
public struct Purchase: Sendable, Hashable {
    public let lines: [CartLine]
    public let totals: Totals
    public let discount: CartDiscount?
    public let shipping: Shipping?

    public init(lines: [CartLine], totals: Totals, discount: CartDiscount? = nil, shipping: Shipping? = nil) {
        self.lines = lines
        self.totals = totals
        self.discount = discount
        self.shipping = shipping
    }
}

/// The confirmation of a purchase. While the order is `.pending`, its payment is being settled.
///
/// Sends `PurchaseMessages` for the status of the order, and `NavigationMessages` to go on.
public protocol ConfirmationScreen: ShopScreen {
    var order: LoadState<Order> { get set }
}

/// The status of a new order, step by step. Sends `RefreshMessages` to read the order again, and
/// `NavigationMessages` to go on.
public protocol StatusScreen: ShopScreen {
    var order: LoadState<Order> { get set }
}

// MARK: - Messages

/// The steps between a cart and its payment.
@MainActor
public protocol CheckoutMessages {
    /// Goes from the cart to the delivery.
    func checkoutBegin() async throws
    /// Finds the shipping methods to a place, for the screen's `methods`.
    ///
    /// - Parameters:
    ///   - country: ISO 3166-1 alpha-2, such as `AU`.
    ///   - location: required for delivery by kangaroo.
    func checkoutFindMethods(country: String, postalCode: String?, location: GeoPoint?) async throws
    /// Finds places by name, for the screen's `places`.
    func checkoutFindPlaces(matching query: String) async throws
    /// Sets the delivery, and goes on to the payment.
    func checkoutDeliver(methodId: String, to address: Address) async throws
}

extension Responder {
    public func checkoutBegin(fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any CheckoutMessages).self, fileID: fileID, line: line) { try await $0.checkoutBegin() }
    }

    public func checkoutFindMethods(
        country: String, postalCode: String?, location: GeoPoint?, fileID: String = #fileID, line: Int = #line
    ) async throws {
        try await send(to: (any CheckoutMessages).self, fileID: fileID, line: line) {
            try await $0.checkoutFindMethods(country: country, postalCode: postalCode, location: location)
        }
    }

    public func checkoutFindPlaces(matching query: String, fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any CheckoutMessages).self, fileID: fileID, line: line) {
            try await $0.checkoutFindPlaces(matching: query)
        }
    }

    public func checkoutDeliver(methodId: String, to address: Address, fileID: String = #fileID, line: Int = #line)
        async throws
    {
        try await send(to: (any CheckoutMessages).self, fileID: fileID, line: line) {
            try await $0.checkoutDeliver(methodId: methodId, to: address)
        }
    }
}

extension CheckoutMessages where Self: Responder {
    public func checkoutBegin() async throws {
        try await above.checkoutBegin()
    }

    public func checkoutFindMethods(country: String, postalCode: String?, location: GeoPoint?) async throws {
        try await above.checkoutFindMethods(country: country, postalCode: postalCode, location: location)
    }

    public func checkoutFindPlaces(matching query: String) async throws {
        try await above.checkoutFindPlaces(matching: query)
    }

    public func checkoutDeliver(methodId: String, to address: Address) async throws {
        try await above.checkoutDeliver(methodId: methodId, to: address)
    }
}

@MainActor
public protocol PaymentMessages {
    /// Pays the purchase on screen. If its total has changed, nothing is charged, the screen gets the new total, and
    /// the failure's remedy is `.review`. After a failure with the remedy `.retry` the same message may be sent again:
    /// the purchase is paid at most once.
    ///
    /// - Parameters:
    ///   - cardToken: identifies a card at the payment provider.
    ///   - email: required from a guest.
    func paymentPay(cardToken: String, email: String?) async throws
}

extension Responder {
    public func paymentPay(cardToken: String, email: String?, fileID: String = #fileID, line: Int = #line) async throws
    {
        try await send(to: (any PaymentMessages).self, fileID: fileID, line: line) {
            try await $0.paymentPay(cardToken: cardToken, email: email)
        }
    }
}

extension PaymentMessages where Self: Responder {
    public func paymentPay(cardToken: String, email: String?) async throws {
        try await above.paymentPay(cardToken: cardToken, email: email)
    }
}

/// Purchases without the cart, from any screen, and their outcome. The cart stays unchanged.
@MainActor
public protocol PurchaseMessages {
    /// Goes to the payment of these units. It passes all coordinators up to the root, each of which may refuse or
    /// change it, as for an age check. The payment then starts below the coordinator that shows the sender.
    func purchaseNow(sku: String, quantity: Int, from sender: any Responder) async throws
    /// Reports that an order was placed, to the coordinator that led to its payment.
    func purchaseDone(_ order: Order) async throws
    /// Goes from the confirmation to the status of the order.
    func purchaseShowStatus() async throws
}

extension Responder {
    /// Goes to the payment of one unit; for a product with several variants, to the product, where the user chooses.
    public func purchaseNow(_ product: Product, fileID: String = #fileID, line: Int = #line) async throws {
        guard product.variants.count == 1 else { return try await choose(product, fileID, line) }
        try await purchaseNow(sku: product.variants[0].sku, fileID: fileID, line: line)
    }

    public func purchaseNow(sku: String, quantity: Int = 1, fileID: String = #fileID, line: Int = #line) async throws {
        // A coordinator that sends it may handle it, too.
        try await receive(as: (any PurchaseMessages).self, fileID: fileID, line: line) {
            try await $0.purchaseNow(sku: sku, quantity: quantity, from: self)
        }
    }

    public func purchaseNow(
        sku: String, quantity: Int, from sender: any Responder, fileID: String = #fileID, line: Int = #line
    ) async throws {
        try await send(to: (any PurchaseMessages).self, fileID: fileID, line: line) {
            try await $0.purchaseNow(sku: sku, quantity: quantity, from: sender)
        }
    }

    public func purchaseDone(_ order: Order, fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any PurchaseMessages).self, fileID: fileID, line: line) { try await $0.purchaseDone(order) }
    }

    public func purchaseShowStatus(fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any PurchaseMessages).self, fileID: fileID, line: line) {
            try await $0.purchaseShowStatus()
        }
    }
}

extension PurchaseMessages where Self: Responder {
    public func purchaseNow(sku: String, quantity: Int, from sender: any Responder) async throws {
        try await above.purchaseNow(sku: sku, quantity: quantity, from: sender)
    }

    public func purchaseDone(_ order: Order) async throws {
        try await above.purchaseDone(order)
    }

    public func purchaseShowStatus() async throws {
        try await above.purchaseShowStatus()
    }
}

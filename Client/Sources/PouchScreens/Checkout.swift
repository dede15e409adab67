import PouchCoordination
import PouchEntities

/// The delivery: address and method. Sends `FindShippingMethods`, `FindPlaces` and `ChooseDelivery`.
public protocol ShippingScreen: ShopScreen {
    /// The suggested address; nil if none is known.
    var address: Address? { get set }
    /// The account's address book.
    var savedAddresses: [Address] { get set }
    /// The shipping methods for the destination of the last `FindShippingMethods`.
    var methods: LoadState<[ShippingMethod]> { get set }
    /// The results of the last `FindPlaces`.
    var places: LoadState<[NamedLocation]> { get set }
    /// The previously chosen method.
    var methodId: String? { get set }
}

/// The review of a purchase, and its payment. Sends `Pay`, and `ShopPage.signIn` for a guest, who returns here after
/// signing in.
public protocol PaymentScreen: ShopScreen {
    var purchase: LoadState<Purchase> { get set }
    /// Whether an e-mail address is required, for example for a guest.
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
/// Sends `ShowOrderStatus`, and a `ShopPage` to continue.
public protocol ConfirmationScreen: ShopScreen {
    var order: LoadState<Order> { get set }
}

/// The status of a new order, step by step. Sends `Refresh` to read the order again, and a `ShopPage` to continue.
public protocol StatusScreen: ShopScreen {
    var order: LoadState<Order> { get set }
}

// MARK: - The steps between a cart and its payment

/// Goes from the cart to the delivery.
public struct BeginCheckout: Message, Hashable {
    public init() {}
}

/// Finds the shipping methods for a destination, for the screen's `methods`.
public struct FindShippingMethods: Message, Hashable {
    /// ISO 3166-1 alpha-2, such as `AU`.
    public let country: String
    public let postalCode: String?
    /// Required for delivery by kangaroo.
    public let location: GeoPoint?

    public init(country: String, postalCode: String? = nil, location: GeoPoint? = nil) {
        self.country = country
        self.postalCode = postalCode
        self.location = location
    }
}

/// Finds places by name, for the screen's `places`.
public struct FindPlaces: Message, Hashable {
    public let query: String

    public init(matching query: String) {
        self.query = query
    }
}

/// Sets the delivery, and continues to the payment.
public struct ChooseDelivery: Message, Hashable {
    public let methodId: String
    public let address: Address

    public init(methodId: String, to address: Address) {
        self.methodId = methodId
        self.address = address
    }
}

// MARK: - Payments

/// Pays for the purchase on screen. If its total has changed, nothing is charged, the screen receives the new total,
/// and the failure's remedy is `.review`. After a failure with the remedy `.retry`, the same message may be sent again:
/// the purchase is paid at most once.
public struct Pay: Message, Hashable {
    /// Identifies a card at the payment provider.
    public let cardToken: String
    /// Required from a guest.
    public let email: String?

    public init(cardToken: String, email: String? = nil) {
        self.cardToken = cardToken
        self.email = email
    }
}

/// Goes to the payment of these units, from any screen. The cart does not change.
///
/// It passes all coordinators up to the root, each of which may refuse or change it, for example for an age check. The
/// payment then starts below the coordinator that shows the sender.
public struct BuyNow: Message {
    public let sku: String
    public var quantity: Int
    public let sender: any Responder

    public init(sku: String, quantity: Int = 1, from sender: any Responder) {
        self.sku = sku
        self.quantity = quantity
        self.sender = sender
    }
}

/// Reports that an order was placed, to the coordinator that started the payment.
public struct OrderPlaced: Message, Hashable {
    public let order: Order

    public init(_ order: Order) {
        self.order = order
    }
}

/// Goes from the confirmation to the status of the order.
public struct ShowOrderStatus: Message, Hashable {
    public init() {}
}

extension Responder {
    /// Goes to the payment of one unit; for a product with several variants, to the product, where the user chooses.
    public func buyNow(_ product: Product, fileID: String = #fileID, line: Int = #line) async throws {
        guard product.variants.count == 1 else {
            return try await receive(ShopPage.product(handle: product.handle), fileID: fileID, line: line)
        }
        // A coordinator that sends it may handle it, too.
        try await receive(BuyNow(sku: product.variants[0].sku, from: self), fileID: fileID, line: line)
    }
}

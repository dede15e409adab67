import Foundation
import PouchEntities

extension TestShop {
    /// The data of a test shop. An owner is an account's id, or the id of a guest's session.
    public struct World: Sendable {
        /// A line of a cart.
        public struct Item: Sendable, Hashable {
            public var sku: String
            public var quantity: Int

            public init(sku: String, quantity: Int) {
                self.sku = sku
                self.quantity = quantity
            }
        }

        // Catalogue
        public var products: [Product]
        public var seasons: [Season] = []
        public var themes: [Theme] = []
        public var promotions: [Promotion] = []
        /// The maximum number of products, orders or rides in a page.
        public var pageSize = 20
        /// Prices of a unit, in minor units, that differ from the catalogue's.
        public var prices: [String: Int64] = [:]
        /// The units that can be bought, if they differ from the catalogue's.
        public var stock: [String: Int] = [:]
        public var sellsAnySKU: Bool
        /// Files by their paths below `/assets/`.
        public var assets: [String: Data] = [:]

        // Accounts
        /// Passwords by e-mail address, in lower case. An address without a password accepts any.
        public var passwords: [String: String] = [:]
        public var profiles: [String: Profile] = [:]
        public var addresses: [String: [Address]] = [:]
        /// The roles of staff by account id. An administrator without a role is an owner.
        public var roles: [String: StaffRole] = [:]
        /// The codes of second factors by e-mail address, in lower case. An address without a code requires none.
        public var secondFactors: [String: String] = [:]
        /// Whether calls that require a fresh sign-in are refused until the password has been confirmed.
        public var asksForPasswords = false
        /// The unused tokens in the shop's e-mails, newest last.
        public internal(set) var mailedTokens: [MailedToken] = []

        // Carts and orders, by owner
        public var carts: [String: [Item]] = [:]
        public var discounts: [String: CartDiscount] = [:]
        public var shipping: [String: Shipping] = [:]
        public var orders: [String: [Order]] = [:]
        public var shippingMethods = [ShippingMethod.sample()]
        /// The valid discount codes, with their reductions in minor units.
        public var codes: [String: Int64] = [:]
        /// The status of a new order.
        public var orderStatus = OrderStatus.paid
        /// The ride that delivers a new order.
        public var rideId: String?

        // Rides, by owner
        public var rides: [String: [Ride]] = [:]
        public var places = [NamedLocation.sample()]
        public var rideOptions = [RideOption.sample()]

        public internal(set) var effects: [String] = []
        /// The highest number so far, by kind of id.
        var counts: [String: Int] = [:]
        /// Sessions by their access tokens.
        var sessions: [String: UserSession] = [:]
        var endedTokens: Set<String> = []
        /// The access tokens whose passwords were confirmed.
        var confirmedTokens: Set<String> = []
        /// The e-mail addresses of accounts that were deleted.
        var deleted: Set<String> = []
        // By owner
        var versions: [String: Int] = [:]
        /// Changes of carts since their last writes, other than those of prices.
        var changes: [String: [CartChange]] = [:]
        /// The prices at the last write of a cart, by SKU.
        var seenPrices: [String: [String: Money]] = [:]
        /// Answers by idempotency key.
        var kept: [String: [String: Kept]] = [:]
    }
}

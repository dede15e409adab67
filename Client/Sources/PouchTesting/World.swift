import Foundation
import PouchEntities

extension TestShop {
    /// Everything that a test shop has. An owner is an account's id, or the id of a guest's session.
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
        /// The most products, orders or rides in a page.
        public var pageSize = 20
        /// Prices of a unit, in minor units, that differ from the catalogue's.
        public var prices: [String: Int64] = [:]
        /// The units that can be bought, where they differ from the catalogue's.
        public var stock: [String: Int] = [:]
        public var sellsAnySKU: Bool
        /// Files by their paths below `/assets/`.
        public var assets: [String: Data] = [:]

        // Accounts
        /// Passwords by e-mail address, in lower case. An address without a password takes any.
        public var passwords: [String: String] = [:]
        public var profiles: [String: Profile] = [:]
        public var addresses: [String: [Address]] = [:]
        /// The roles of staff by account id. An administrator without a role is an owner.
        public var roles: [String: StaffRole] = [:]
        /// The codes of second factors by e-mail address, in lower case. An address without a code needs none.
        public var secondFactors: [String: String] = [:]
        /// Whether what needs a fresh sign-in is refused until the password was confirmed.
        public var asksForPasswords = false
        /// The tokens in the mails of the shop that were not used yet, the latest last.
        public internal(set) var mailedTokens: [MailedToken] = []

        // Carts and orders, by owner
        public var carts: [String: [Item]] = [:]
        public var discounts: [String: CartDiscount] = [:]
        public var shipping: [String: Shipping] = [:]
        public var orders: [String: [Order]] = [:]
        public var shippingMethods = [ShippingMethod.sample()]
        /// The discount codes that a cart takes, with their reductions in minor units.
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

        init(products: [Product], sellsAnySKU: Bool) {
            self.products = products
            self.sellsAnySKU = sellsAnySKU
        }
    }
}

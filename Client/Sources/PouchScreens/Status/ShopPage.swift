import PouchEntities

/// A place in the shop that one can go to from anywhere.
public enum ShopPage: Sendable, Hashable {
    case home
    /// Products of a category, a season, a search: whatever the query says.
    case listing(ProductQuery)
    case product(handle: String)
    case cart
    case profile
    case signIn
    case register
    case orders
    case order(id: String)
}

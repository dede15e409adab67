import PouchEntities

/// The shop's front: what it promotes, and its categories.
///
/// Sends `NavigationMessages` (a promotion, a category, a search) and, from within a promotion, `PurchaseMessages`.
@MainActor
public protocol HomeScreen: ShopScreen {
    /// The season that is on; nil where the shop has none.
    var season: Season? { get set }
    /// In the order in which they slide by.
    var promotions: LoadState<[Promotion]> { get set }
    /// Those of the season, or all.
    var categories: LoadState<[Category]> { get set }
}

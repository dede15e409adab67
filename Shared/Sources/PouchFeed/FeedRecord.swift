import PouchEntities

/// One thing that a feed says. Seasons and themes come before the products in them, and products before promotions.
public enum FeedRecord: Sendable, Equatable {
    /// Dates that are nil are not named by the feed.
    case season(Season)
    case theme(Theme)
    /// Comes before the record whose image it is.
    case asset(FeedAsset)
    case product(FeedProduct)
    case promotion(FeedPromotion)
    /// A row, or a part of one, that was left out.
    case bad(FeedRowError)
}

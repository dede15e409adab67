import PouchDomain
import PouchEntities
import PouchFeed

/// A record of a feed that waits to be published.
public enum StagedRecord: Codable, Sendable, Equatable {
    case season(Season)
    case theme(Theme)
    case product(FeedProduct)
    case promotion(FeedPromotion)
}

import PouchDomain
import PouchEntities
import PouchFeed

/// What an import changes beside products, at the moment when it is published.
public enum CatalogChange: Codable, Sendable, Equatable {
    case season(Season)
    case theme(Theme)
    case category(id: String, name: String)
    case promotion(CatalogContent.PromotedProduct)
}

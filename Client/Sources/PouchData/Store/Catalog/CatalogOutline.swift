import PouchEntities

/// What a catalogue has beside its products; nil where nothing is known.
public struct CatalogOutline: Sendable, Equatable {
    public var seasons: [Season]?
    public var themes: [Theme]?
    public var categories: [PouchEntities.Category]?
    public var promotions: [Promotion]?

    public init(
        seasons: [Season]? = nil,
        themes: [Theme]? = nil,
        categories: [PouchEntities.Category]? = nil,
        promotions: [Promotion]? = nil
    ) {
        self.seasons = seasons
        self.themes = themes
        self.categories = categories
        self.promotions = promotions
    }
}

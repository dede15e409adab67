import PouchEntities
import PouchFeed

/// The seasons and themes of a feed, without which its products cannot be placed.
public struct FeedSeasons: Sendable {
    public let seasons: [Season]
    public let themes: [Theme]
    /// Knows what was named so far.
    let conversion: LayersRecords

    init(_ records: [FeedRecord], _ conversion: LayersRecords) {
        seasons = records.compactMap { if case .season(let season) = $0 { season } else { nil } }
        themes = records.compactMap { if case .theme(let theme) = $0 { theme } else { nil } }
        self.conversion = conversion
    }
}

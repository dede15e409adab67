import PouchFeed
import PouchService

/// A feed, and how to read it.
struct FeedSource: Sendable {
    let service: FeedService
    let settings: FeedSettings

    var decoder: LayersRowDecoder { LayersRowDecoder(timeZone: settings.timeZone) }

    var conversion: LayersRecords {
        LayersRecords(currency: settings.currency, defaultStock: settings.defaultStock)
    }
}

import Foundation
import PouchEntities

extension CatalogContent {
    /// The next moment at which a season or a scheduled price begins or ends; nil when none will.
    var validUntil: Date? {
        let boundaries = seasons.flatMap { [$0.startsAt, $0.endsAt] } + [pricesChangeAt]
        return boundaries.compactMap(\.self).filter { $0 > moment }.min()
    }

    /// What is shown: without products of seasons that have ended or not begun.
    var onShow: CatalogContent {
        limited(to: seasons.filter { $0.hasBegun(at: moment) && !$0.hasEnded(at: moment) })
    }

    /// Products of seasons that have ended, which can still be found by their handles.
    var past: CatalogContent {
        let ended = Set(seasons.filter { $0.hasBegun(at: moment) && $0.hasEnded(at: moment) }.map(\.id))
        var content = limited(to: [])
        content.products = products.filter { $0.seasonId.map(ended.contains) ?? false }
        return content
    }

    private func limited(to shown: [Season]) -> CatalogContent {
        let hidden = Set(seasons.map(\.id)).subtracting(shown.map(\.id))
        return CatalogContent(
            moment: moment, pricesChangeAt: pricesChangeAt, version: version, currency: currency, seasons: shown,
            themes: themes.filter { !hidden.contains($0.seasonId) }, categoryNames: categoryNames,
            products: products.filter { $0.seasonId.map { !hidden.contains($0) } ?? true }, promotions: promotions)
    }
}

extension Season {
    fileprivate func hasBegun(at moment: Date) -> Bool { startsAt.map { $0 <= moment } ?? true }
    fileprivate func hasEnded(at moment: Date) -> Bool { endsAt.map { $0 <= moment } ?? false }
}

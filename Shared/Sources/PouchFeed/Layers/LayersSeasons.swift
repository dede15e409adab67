import PouchEntities

/// The seasons and themes that a LAYERS feed has named so far.
struct LayersSeasons: Sendable {
    private var seasons: Set<String> = []
    private var themes: Set<String> = []

    mutating func records(of row: LayersSeasonRow, line: Int) throws(FeedRowError) -> [FeedRecord] {
        guard !row.id.isEmpty, row.themes?.allSatisfy({ !$0.id.isEmpty }) ?? true else {
            throw FeedRowError(line: line, field: "id", code: .required, detail: "the id is empty")
        }
        seasons.insert(row.id)
        let season = Season(
            id: row.id, name: row.name.singleLine, startsAt: row.startsAt?.date, endsAt: row.endsAt?.date)
        let named = (row.themes ?? []).map { Theme(id: $0.id, name: $0.name.singleLine, seasonId: row.id) }
        themes.formUnion(named.map(\.id))
        return [.season(season)] + named.map(FeedRecord.theme)
    }

    /// Where a product belongs: the season's id is the first two characters of its style code, the theme's the first
    /// three.
    ///
    /// - Returns: nil in place of an id that the feed has not named; and, where the row is the first to name it, the
    ///   season or theme itself.
    mutating func place(
        _ row: LayersProductRow
    ) -> (seasonId: String?, themeId: String?, records: [FeedRecord]) {
        let (seasonId, themeId) = (String(row.style.prefix(2)), String(row.style.prefix(3)))
        var records: [FeedRecord] = []
        if let name = row.season?.singleLine, !name.isEmpty, seasons.insert(seasonId).inserted {
            records.append(.season(Season(id: seasonId, name: name)))
        }
        let hasSeason = seasons.contains(seasonId)
        if hasSeason, let name = row.theme?.singleLine, !name.isEmpty, themes.insert(themeId).inserted {
            records.append(.theme(Theme(id: themeId, name: name, seasonId: seasonId)))
        }
        return (hasSeason ? seasonId : nil, themes.contains(themeId) ? themeId : nil, records)
    }
}

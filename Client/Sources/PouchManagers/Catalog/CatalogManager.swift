import PouchData
import PouchEntities

/// Shows the catalogue. What changes seldom is remembered and asked for again when it is stale.
public actor CatalogManager {
    private let data: DataManager
    private let staleAfter: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private var memory = Memory()

    /// By season, where the list depends on it.
    private struct Memory {
        var seasons = Remembered<String?, [Season]>()
        var themes = Remembered<String?, [Theme]>()
        var categories = Remembered<String?, [Category]>()
        var promotions = Remembered<String?, [Promotion]>()
    }

    /// - Parameter staleAfter: how long seasons, themes, categories and promotions are answered from memory.
    public init(
        data: DataManager,
        staleAfter: Duration = .seconds(300),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.data = data
        self.staleAfter = staleAfter
        self.now = now
    }

    public func seasons() async throws(DataError) -> [Season] {
        try await remembered(\.seasons, nil) { [data] cursor throws(DataError) in
            try await data.seasons(cursor: cursor)
        }
    }

    /// The themes of a season; nil for all.
    public func themes(season: String? = nil) async throws(DataError) -> [Theme] {
        try await remembered(\.themes, season) { [data] cursor throws(DataError) in
            try await data.themes(season: season, cursor: cursor)
        }
    }

    /// The categories of a season; nil for all.
    public func categories(season: String? = nil) async throws(DataError) -> [Category] {
        try await remembered(\.categories, season) { [data] cursor throws(DataError) in
            try await data.categories(season: season, cursor: cursor)
        }
    }

    /// What the shop shows first, in its order.
    public func promotions() async throws(DataError) -> [Promotion] {
        try await remembered(\.promotions, nil) { [data] cursor throws(DataError) in
            try await data.promotions(cursor: cursor)
        }
    }

    /// One page; its `nextCursor` in the query gives the next.
    public func products(_ query: ProductQuery = ProductQuery()) async throws(DataError) -> ProductPage {
        try await data.products(query).value
    }

    public func product(handle: String) async throws(DataError) -> Product {
        try await data.product(handle: handle).value
    }

    /// Exact figures, for 1 to 100 SKUs.
    public func availability(of skus: [String]) async throws(DataError) -> [Availability] {
        try await data.availability(of: skus).items
    }

    private func remembered<Item: Sendable>(
        _ list: WritableKeyPath<Memory, Remembered<String?, [Item]>>,
        _ key: String?,
        page: @Sendable (_ cursor: String?) async throws(DataError) -> Dated<Page<Item>>
    ) async throws(DataError) -> [Item] {
        if let items = memory[keyPath: list].value(for: key, notOlderThan: staleAfter, at: now()) { return items }
        let asked = now()
        var items: [Item] = []
        var cursor: String?
        repeat {
            let next = try await page(cursor)
            items += next.items
            // A server that gives the same cursor again would keep us here.
            cursor = next.nextCursor == cursor ? nil : next.nextCursor
        } while cursor != nil
        memory[keyPath: list].remember(items, for: key, at: asked)
        return items
    }
}

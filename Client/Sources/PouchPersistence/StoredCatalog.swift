#if Persistence
    import Foundation
    import GRDB
    import PouchData
    import PouchEntities
    import PouchJSON

    extension SQLiteStore {
        // MARK: Import

        public func beginImport() async throws(StoreError) -> CatalogDraft {
            try await write { try CatalogWriter($0).beginDraft() }
        }

        public func add(_ products: [Product], to draft: CatalogDraft) async throws(StoreError) {
            let rows = try ProductRow.rows(products)
            try await write { database in
                let writer = CatalogWriter(database)
                try writer.requireDraft(draft)
                for row in rows { try writer.put(row, in: draft.number) }
            }
        }

        public func publish(_ draft: CatalogDraft, _ taxonomy: CatalogTaxonomy, at now: Date) async throws(StoreError) {
            let taxonomy = try StoredTaxonomy(taxonomy)
            try await write { database in
                let writer = CatalogWriter(database)
                try writer.requireDraft(draft)
                try writer.publishDraft(at: now)
                try writer.merge(taxonomy.promoted)
                try taxonomy.save(in: database)
            }
            // Readers already see the new catalogue. If this fails, the next import removes the old one, or the next
            // opening of the file.
            try? await write { try CatalogWriter($0).dropOthers() }
        }

        public func abandon(_ draft: CatalogDraft) async throws(StoreError) {
            try await write { database in
                let writer = CatalogWriter(database)
                guard (try? writer.requireDraft(draft)) != nil else { return }
                try writer.dropDraft()
            }
        }

        // MARK: Products seen while browsing

        public func merge(_ products: [Product]) async throws(StoreError) {
            let rows = try ProductRow.rows(products)
            try await write { try CatalogWriter($0).merge(rows) }
        }

        public func update(_ taxonomy: CatalogTaxonomy) async throws(StoreError) {
            let taxonomy = try StoredTaxonomy(taxonomy)
            try await write { database in
                try CatalogWriter(database).merge(taxonomy.promoted)
                try taxonomy.save(in: database)
            }
        }

        // MARK: Reading

        public func products(_ query: ProductQuery) async throws(StoreError) -> ProductPage {
            let (bodies, next, facets) = try await read { database in
                let selection = try ProductSelection(query, in: database)
                let found = try selection.positions(in: database)
                let page = found.prefix(query.pageSize)
                let body = try database.cachedStatement(sql: "SELECT json FROM productBody WHERE product = ?")
                let bodies = try page.compactMap { try Data.fetchOne(body, arguments: [$0.number]) }
                return (
                    bodies, page.count < found.count ? page.last?.position : nil,
                    query.facets ? try selection.facets(in: database) : nil
                )
            }
            return ProductPage(
                items: try ProductRow.products(bodies),
                nextCursor: next?.cursor(of: query), facets: facets)
        }

        public func product(handle: String) async throws(StoreError) -> Product? {
            try await product("handle = ?", handle)
        }

        public func product(sku: String) async throws(StoreError) -> Product? {
            try await product("number IN (SELECT product FROM productSKU WHERE sku = ?)", sku)
        }

        private func product(_ condition: String, _ argument: String) async throws(StoreError) -> Product? {
            let body = try await read { database in
                try Data.fetchOne(
                    database,
                    sql: """
                        SELECT json FROM productBody WHERE product IN (
                            SELECT number FROM product
                            WHERE catalog = (SELECT current FROM catalog) AND \(condition))
                        """, arguments: [argument])
            }
            return try ProductRow.products([body].compactMap(\.self)).first
        }

        public func seasons() async throws(StoreError) -> [Season] { try await taxonomy("seasons") ?? [] }

        public func themes(season: String?) async throws(StoreError) -> [Theme] {
            try await (taxonomy("themes", of: Theme.self) ?? []).filter { season == nil || $0.seasonId == season }
        }

        public func categories(season: String?) async throws(StoreError) -> [PouchEntities.Category] {
            let given = try await taxonomy("categories", of: PouchEntities.Category.self)
            guard try await catalogPublishedAt() != nil else { return season == nil ? given ?? [] : [] }
            let counts = try await read { database in
                let request: SQLRequest<Row> = """
                    SELECT category, COUNT(*) FROM product
                    WHERE catalog = (SELECT current FROM catalog) AND (\(season) IS NULL OR season = \(season))
                    GROUP BY category
                    """
                return try request.fetchAll(database).reduce(into: [String: Int]()) { $0[$1[0]] = $1[1] }
            }
            return PouchEntities.Category.counted(counts, named: given)
        }

        public func promotions() async throws(StoreError) -> [Promotion] {
            var promotions: [Promotion] = []
            for stored in try await taxonomy("promotions", of: StoredPromotion.self) ?? [] {
                guard let product = try await product(handle: stored.handle) else { continue }
                promotions.append(Promotion(product: product, image: stored.image, position: stored.position))
            }
            return promotions.sorted { $0.position < $1.position }
        }

        public func catalogPublishedAt() async throws(StoreError) -> Date? {
            try await read { try Double.fetchOne($0, sql: "SELECT publishedAt FROM catalog") }
                .map(Date.init(timeIntervalSinceReferenceDate:))
        }

        private func taxonomy<Item: JSONCodable>(
            _ column: String, of type: Item.Type = Item.self
        ) async throws(StoreError) -> [Item]? {
            let body = try await read { try Data.fetchOne($0, sql: "SELECT \(column) FROM catalog") }
            return try body.map { body throws(StoreError) in try decode([Item].self, body) }
        }
    }
#endif

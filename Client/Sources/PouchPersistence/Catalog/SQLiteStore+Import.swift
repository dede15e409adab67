#if Persistence
    import Foundation
    import GRDB
    import PouchData
    import PouchEntities

    extension SQLiteStore {
        public func beginImport() async throws(StoreError) -> CatalogDraft {
            try await write { try CatalogWriter($0).beginDraft() }
        }

        public func add(_ products: [Product], to draft: CatalogDraft) async throws(StoreError) {
            let clock = ContinuousClock()
            let start = clock.now
            let rows = try ProductRow.rows(products)
            let converted = clock.now
            try await write { database in
                let writer = CatalogWriter(database)
                try writer.requireDraft(draft)
                for row in rows { try writer.put(row, in: draft.number) }
            }
            onImport(
                ImportTimes(
                    products: rows.count, converting: start.duration(to: converted),
                    storing: converted.duration(to: clock.now)))
        }

        public func publish(
            _ draft: CatalogDraft, _ outline: CatalogOutline, at now: Date
        ) async throws(StoreError) {
            let outline = try StoredOutline(outline)
            try await write { database in
                let writer = CatalogWriter(database)
                try writer.requireDraft(draft)
                try writer.publishDraft(at: now)
                try writer.merge(outline.promoted)
                try outline.save(in: database)
            }
            // Readers see the new catalogue already. What is left of the old one goes with the next import, or when the file
            // is opened.
            try? await write { try CatalogWriter($0).dropOthers() }
        }

        public func abandon(_ draft: CatalogDraft) async throws(StoreError) {
            try await write { database in
                let writer = CatalogWriter(database)
                guard (try? writer.requireDraft(draft)) != nil else { return }
                try writer.dropDraft()
            }
        }

        public func merge(_ products: [Product]) async throws(StoreError) {
            let rows = try ProductRow.rows(products)
            try await write { try CatalogWriter($0).merge(rows) }
        }

        public func update(_ outline: CatalogOutline) async throws(StoreError) {
            let outline = try StoredOutline(outline)
            try await write { database in
                try CatalogWriter(database).merge(outline.promoted)
                try outline.save(in: database)
            }
        }
    }
#endif

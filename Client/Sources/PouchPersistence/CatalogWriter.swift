#if Persistence
    import Foundation
    import GRDB
    import PouchData
    import PouchEntities
    import PouchJSON

    /// Writes catalogues and their products within one transaction.
    final class CatalogWriter {
        private let database: Database
        private var choices: [OptionValue: Int] = [:]

        init(_ database: Database) {
            self.database = database
        }

        // MARK: Catalogues

        func current() throws -> Int64 {
            try Int64.fetchOne(database, sql: "SELECT current FROM catalog") ?? 1
        }

        /// - Throws: `.importEnded`.
        func requireDraft(_ draft: CatalogDraft) throws {
            guard try Int64.fetchOne(database, sql: "SELECT draft FROM catalog") == draft.number else {
                throw StoreError(.importEnded)
            }
        }

        func beginDraft() throws -> CatalogDraft {
            try dropDraft()
            try run("UPDATE catalog SET draft = next, next = next + 1")
            return CatalogDraft(number: try Int64.fetchOne(database, sql: "SELECT draft FROM catalog") ?? 0)
        }

        func publishDraft(at now: Date) throws {
            try run(
                "UPDATE catalog SET current = draft, draft = NULL, publishedAt = ?",
                [now.timeIntervalSinceReferenceDate])
        }

        func dropDraft() throws {
            try run("UPDATE catalog SET draft = NULL")
            try dropOthers()
        }

        /// Removes the products of all catalogues except the current one and the draft.
        func dropOthers() throws {
            let others = """
                SELECT number FROM product, (SELECT current, draft FROM catalog) AS kept
                WHERE catalog <> kept.current AND catalog IS NOT kept.draft
                """
            guard try Bool.fetchOne(database, sql: "SELECT EXISTS (\(others))") == true else { return }
            try database.execute(sql: "CREATE TEMP TABLE dropped AS \(others)")
            try removeDetails(of: "SELECT number FROM dropped")
            try run("DELETE FROM product WHERE number IN (SELECT number FROM dropped)")
            try database.execute(sql: "DROP TABLE temp.dropped")
        }

        // MARK: Products

        /// Adds a product, which replaces those with the same id or the same handle.
        func put(_ row: ProductRow, in catalog: Int64) throws {
            let product = row.product
            let earlier = try Int64.fetchAll(
                try database.cachedStatement(
                    sql: "SELECT number FROM product WHERE catalog = ? AND (id = ? OR handle = ?)"),
                arguments: [catalog, product.id, product.handle])
            for number in earlier { try remove(number) }
            let variants = try product.variants.map { variant in
                ListedVariant(
                    available: variant.available,
                    choices: try variant.options.map { try choice(OptionValue(name: $0, value: $1)) })
            }
            try run(
                """
                INSERT INTO product
                    (catalog, id, handle, season, theme, category, price, currency, name, updatedAt, variants)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    catalog, product.id, product.handle, product.seasonId, product.themeId, product.category,
                    product.price.amount, product.price.currency.code, row.foldedName,
                    product.updatedAt.timeIntervalSinceReferenceDate, variants.stored,
                ])
            let number = database.lastInsertedRowID
            try run("INSERT INTO productBody (product, json) VALUES (?, ?)", [number, row.json])
            try run(
                "INSERT INTO productText (rowid, name, other) VALUES (?, ?, ?)",
                [number, row.nameWords, row.otherWords])
            try run(
                "INSERT OR IGNORE INTO productTag (product, tag) SELECT ?, value FROM json_each(?)",
                [number, row.tags])
            try run(
                "INSERT OR IGNORE INTO productSKU (product, sku) SELECT ?, value FROM json_each(?)",
                [number, row.skus])
        }

        /// Adds products to the current catalogue, except those of which it has a newer version.
        func merge(_ rows: [ProductRow]) throws {
            let current = try current()
            for row in rows {
                let known = try Double.fetchOne(
                    try database.cachedStatement(sql: "SELECT updatedAt FROM product WHERE catalog = ? AND id = ?"),
                    arguments: [current, row.product.id])
                if let known, known > row.product.updatedAt.timeIntervalSinceReferenceDate { continue }
                try put(row, in: current)
            }
        }

        private func remove(_ number: Int64) throws {
            try removeDetails(of: "VALUES (\(number))")
            try run("DELETE FROM product WHERE number = ?", [number])
        }

        private func removeDetails(of numbers: String) throws {
            try database.execute(
                sql: """
                    DELETE FROM productSKU WHERE product IN (\(numbers));
                    DELETE FROM productTag WHERE product IN (\(numbers));
                    DELETE FROM productText WHERE rowid IN (\(numbers));
                    DELETE FROM productBody WHERE product IN (\(numbers));
                    """)
        }

        private func choice(_ choice: OptionValue) throws -> Int {
            if let known = choices[choice] { return known }
            try run("INSERT OR IGNORE INTO choice (name, value) VALUES (?, ?)", [choice.name, choice.value])
            let number =
                try Int.fetchOne(
                    database, sql: "SELECT number FROM choice WHERE name = ? AND value = ?",
                    arguments: [choice.name, choice.value]) ?? 0
            choices[choice] = number
            return number
        }

        private func run(_ sql: String, _ arguments: StatementArguments = []) throws {
            try database.cachedStatement(sql: sql).execute(arguments: arguments)
        }
    }

    /// The columns of a product.
    struct ProductRow: Sendable {
        let product: Product
        let json: Data
        let foldedName: String
        /// Words separated by spaces.
        let nameWords: String
        let otherWords: String
        /// JSON lists, which SQLite converts to rows.
        let tags: String
        let skus: String

        private init(_ product: Product) throws {
            self.product = product
            json = try product.json()
            foldedName = product.foldedName
            nameWords = product.nameWords.joined(separator: " ")
            otherWords = product.otherWords.joined(separator: " ")
            tags = String(decoding: try product.tags.json(), as: UTF8.self)
            skus = String(decoding: try product.variants.map(\.sku).json(), as: UTF8.self)
        }

        static func rows(_ products: [Product]) throws(StoreError) -> [ProductRow] {
            do {
                return try products.map { try ProductRow($0) }
            } catch {
                throw StoreError(.unavailable, log: "a product cannot be encoded: \(type(of: error))")
            }
        }

        static func products(_ rows: [Data]) throws(StoreError) -> [Product] {
            do {
                // Earlier versions wrote times as numbers.
                return try rows.map { try Product(json: $0, .stored) }
            } catch {
                throw StoreError(.damaged, log: "a product cannot be read")
            }
        }
    }

    /// A promotion with the handle of its product, which is stored once in the catalogue.
    struct StoredPromotion: JSONModel {
        let handle: String
        let image: ProductImage
        let position: Int

        static let json = JSONObject(
            StoredPromotion.init, .field("handle", \.handle), .field("image", \.image),
            .field("position", \.position))
    }

    /// The columns of a taxonomy. Parts that are nil are not changed.
    struct StoredTaxonomy: Sendable {
        let promoted: [ProductRow]
        private let columns: [(name: String, json: Data)]

        init(_ taxonomy: CatalogTaxonomy) throws(StoreError) {
            let promotions = taxonomy.promotions ?? []
            promoted = try ProductRow.rows(promotions.map(\.product))
            let stored = taxonomy.promotions?.map {
                StoredPromotion(handle: $0.product.handle, image: $0.image, position: $0.position)
            }
            do {
                columns = [
                    ("seasons", try taxonomy.seasons.map { try $0.json() }),
                    ("themes", try taxonomy.themes.map { try $0.json() }),
                    ("categories", try taxonomy.categories.map { try $0.json() }),
                    ("promotions", try stored.map { try $0.json() }),
                ]
                .compactMap { name, json in json.map { (name, $0) } }
            } catch {
                throw StoreError(.unavailable, log: "a taxonomy cannot be encoded: \(type(of: error))")
            }
        }

        func save(in database: Database) throws {
            for column in columns {
                try database.execute(sql: "UPDATE catalog SET \(column.name) = ?", arguments: [column.json])
            }
        }
    }
#endif

#if Persistence
    import GRDB
    import PouchData
    import PouchEntities

    /// A query for products in SQL. It follows the rules of the server, as `MemoryListing` does in memory.
    struct ProductSelection {
        /// A condition, and the facet whose counts ignore it.
        private struct Condition {
            var facet: String?
            let sql: SQL
        }

        private let query: ProductQuery
        private let sort: ProductSort
        private let words: [String]
        private let variants: VariantFilter

        init(_ query: ProductQuery, in database: Database) throws {
            self.query = query
            sort = query.effectiveSort
            words = query.searchWords
            let variants = try VariantFilter(query) {
                try Row.fetchAll(database, sql: "SELECT number, name, value FROM choice").map {
                    (number: $0[0], choice: OptionValue(name: $0[1], value: $0[2]))
                }
            }
            self.variants = variants
            guard variants.isNarrow else { return }
            // Conditions on a single variant are not in SQL, which would require a row for each choice of each variant.
            database.add(
                function: DatabaseFunction("isOffered", argumentCount: 1, pure: true) { values in
                    variants.matches([ListedVariant](stored: String.fromDatabaseValue(values[0]) ?? ""))
                })
        }

        // MARK: The list

        /// The products of a page, and one more if another page follows.
        func positions(in database: Database) throws -> [(number: Int64, position: ProductPosition)] {
            let rank: SQL =
                sort == .relevance ? "NOT (p.number IN (\(textMatch(column: "name"))))" : "0"
            let rows = try SQLRequest<Row>(
                literal: """
                    SELECT number, id, rank, price, name
                    FROM (SELECT p.*, \(rank) AS rank FROM product AS p WHERE \(conditions().joined))
                    WHERE \(try after) ORDER BY \(order) LIMIT \(query.pageSize + 1)
                    """
            ).fetchAll(database)
            return rows.map { row in
                let id: String = row["id"]
                let position =
                    switch sort {
                    case .newest: ProductPosition(id: id)
                    case .priceAscending, .priceDescending: ProductPosition(number: row["price"], id: id)
                    case .name: ProductPosition(text: row["name"], id: id)
                    case .relevance: ProductPosition(number: row["rank"], id: id)
                    }
                return (row["number"], position)
            }
        }

        private var order: SQL {
            switch sort {
            case .newest: "id DESC"
            case .priceAscending: "price, id"
            case .priceDescending: "price DESC, id"
            case .name: "name, id"
            case .relevance: "rank, id"
            }
        }

        private var after: SQL {
            get throws {
                guard let start = try ProductPosition(cursorOf: query) else { return "TRUE" }
                return switch sort {
                case .newest: "id < \(start.id)"
                case .priceAscending: "(price, id) > (\(start.number), \(start.id))"
                case .priceDescending: "(-price, id) > (-\(start.number), \(start.id))"
                case .name: "(name, id) > (\(start.text), \(start.id))"
                case .relevance: "(rank, id) > (\(start.number), \(start.id))"
                }
            }
        }

        // MARK: Conditions

        private func conditions(without facet: String? = nil, onVariants: Bool = true) -> [SQL] {
            var conditions = [Condition(sql: "p.catalog = (SELECT current FROM catalog)")]
            func add(_ facet: String? = nil, _ sql: SQL) { conditions.append(Condition(facet: facet, sql: sql)) }
            if let category = query.category { add("category", "p.category = \(category)") }
            if let season = query.season { add("season", "p.season = \(season)") }
            if let theme = query.theme { add("theme", "p.theme = \(theme)") }
            if let tag = query.tag {
                add("tag", "EXISTS (SELECT 1 FROM productTag AS t WHERE t.product = p.number AND t.tag = \(tag))")
            }
            if let least = query.minPrice {
                add(nil, "p.currency = \(least.currency.code) AND p.price >= \(least.amount)")
            }
            if let most = query.maxPrice {
                add(nil, "p.currency = \(most.currency.code) AND p.price <= \(most.amount)")
            }
            if !words.isEmpty { add(nil, "p.number IN (\(textMatch(column: nil)))") }
            if onVariants, variants.isNarrow { add(nil, "isOffered(p.variants)") }
            return conditions.filter { $0.facet == nil || $0.facet != facet }.map(\.sql)
        }

        private func textMatch(column: String?) -> SQL {
            // Folded words consist of letters and digits only, so they contain no search syntax.
            let text = words.map { "\"\($0)\"*" }.joined(separator: " AND ")
            let match = column.map { "\($0) : (\(text))" } ?? text
            return "SELECT rowid FROM productText WHERE productText MATCH \(match)"
        }

        // MARK: Facets

        func facets(in database: Database) throws -> [Facet] {
            var list = FacetList()
            for column in ["category", "season", "theme"] {
                let name = SQL(sql: "p.\(column)")
                try count(
                    column,
                    """
                    SELECT \(name), COUNT(*) FROM product AS p
                    WHERE \(conditions(without: column).joined) AND \(name) IS NOT NULL GROUP BY 1
                    """, in: database, into: &list)
            }
            try count(
                "tag",
                """
                SELECT t.tag, COUNT(*) FROM product AS p JOIN productTag AS t ON t.product = p.number
                WHERE \(conditions(without: "tag").joined) GROUP BY 1
                """, in: database, into: &list)
            try countOptions(in: database, into: &list)
            return list.facets
        }

        private func countOptions(in database: Database, into list: inout FacetList) throws {
            let rows = try SQLRequest<String>(
                literal: "SELECT p.variants FROM product AS p WHERE \(conditions(onVariants: false).joined)"
            ).fetchCursor(database)
            var counts = VariantFilter.Counts()
            while let row = try rows.next() { variants.count([ListedVariant](stored: row), into: &counts) }
            variants.add(counts, to: &list)
        }

        private func count(_ name: String, _ sql: SQL, in database: Database, into list: inout FacetList) throws {
            let rows = try SQLRequest<Row>(literal: sql).fetchCursor(database)
            while let row = try rows.next() { list.add(name, value: row[0], count: row[1]) }
        }
    }

    extension [SQL] {
        fileprivate var joined: SQL { isEmpty ? "TRUE" : joined(separator: " AND ") }
    }

    // MARK: - The variants of a product

    /// The format of a variant is `5:1,4`, the stock and the numbers of the choices; semicolons separate variants.
    extension [ListedVariant] {
        var stored: String {
            var text = ""
            for (index, variant) in enumerated() {
                if index > 0 { text += ";" }
                text += String(variant.available) + ":"
                for (index, choice) in variant.choices.enumerated() {
                    if index > 0 { text += "," }
                    text += String(choice)
                }
            }
            return text
        }

        init(stored text: String) {
            self = []
            var available = 0
            var choices: [Int] = []
            var number: Int?
            var isNegative = false
            // A list with facets reads all variants of the catalogue, so this makes only one pass over the bytes.
            for byte in [UInt8](text.utf8) + [UInt8(ascii: ";")] {
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    number = (number ?? 0) &* 10 &+ Int(byte - UInt8(ascii: "0"))
                case UInt8(ascii: "-"): isNegative = true
                case UInt8(ascii: ":"):
                    (available, number, isNegative) = (isNegative ? 0 &- (number ?? 0) : number ?? 0, nil, false)
                default:
                    if let number { choices.append(number) }
                    number = nil
                    guard byte == UInt8(ascii: ";"), !text.isEmpty else { continue }
                    append(ListedVariant(available: available, choices: choices))
                    (available, choices) = (0, [])
                }
            }
        }
    }
#endif

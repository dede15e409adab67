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
        /// The numbers of the wanted choices by option in lower case.
        private let choices: [String: [Int64]]

        init(_ query: ProductQuery, in database: Database) throws {
            self.query = query
            sort = query.effectiveSort
            words = query.searchWords
            choices = try query.foldedOptions.reduce(into: [:]) { choices, option in
                let values = Array(option.value)
                let request: SQLRequest<Int64> = """
                    SELECT number FROM choice WHERE foldedName = \(option.key) AND foldedValue IN \(values)
                    """
                choices[option.key] = try request.fetchAll(database)
            }
        }

        // MARK: The list

        /// The products of a page, and one more where another page follows.
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

        private func conditions(without facet: String? = nil) -> [SQL] {
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
            if let variants = variantCondition { add(nil, variants) }
            return conditions.filter { $0.facet == nil || $0.facet != facet }.map(\.sql)
        }

        private func textMatch(column: String?) -> SQL {
            // Folded words consist of letters and digits only, so they contain no search syntax.
            let text = words.map { "\"\($0)\"*" }.joined(separator: " AND ")
            let match = column.map { "\($0) : (\(text))" } ?? text
            return "SELECT rowid FROM productText WHERE productText MATCH \(match)"
        }

        private var variantCondition: SQL? {
            guard !choices.isEmpty || query.inStock != nil else { return nil }
            let wanted: SQL = "SELECT 1 FROM variant AS v WHERE v.product = p.number AND \(variantChoices().joined)"
            return switch query.inStock {
            case nil: "EXISTS (\(wanted))"
            case true?: "EXISTS (\(wanted) AND v.available > 0)"
            case false?: "EXISTS (\(wanted)) AND NOT EXISTS (\(wanted) AND v.available > 0)"
            }
        }

        private func variantChoices(without option: String? = nil) -> [SQL] {
            choices.filter { $0.key != option }.map { _, numbers in
                "EXISTS (SELECT 1 FROM variantChoice AS c WHERE c.variant = v.number AND c.choice IN \(numbers))"
            }
        }

        // MARK: Facets

        func facets(in database: Database) throws -> [Facet] {
            var list = FacetList()
            for column in ["category", "season", "theme"] {
                let name = SQL(sql: "p.\(column)")
                try count(
                    """
                    SELECT '', \(name), COUNT(*) FROM product AS p
                    WHERE \(conditions(without: column).joined) AND \(name) IS NOT NULL GROUP BY 2
                    """, in: database, into: &list
                ) { _ in column }
            }
            try count(
                """
                SELECT '', t.tag, COUNT(*) FROM product AS p JOIN productTag AS t ON t.product = p.number
                WHERE \(conditions(without: "tag").joined) GROUP BY 2
                """, in: database, into: &list
            ) { _ in "tag" }
            let names = Array(choices.keys)
            try countOptions("NOT (o.foldedName IN \(names))", without: nil, in: database, &list)
            for name in names { try countOptions("o.foldedName = \(name)", without: name, in: database, &list) }
            return list.facets
        }

        /// Counts a product for a value where one of its variants with that value has the other wanted choices too.
        /// Stock is compared over those variants.
        private func countOptions(
            _ which: SQL, without option: String?, in database: Database, _ list: inout FacetList
        ) throws {
            let stock: SQL =
                switch query.inStock {
                case nil: "TRUE"
                case true?: "most > 0"
                case false?: "most <= 0"
                }
            // The statement itself has the conditions on variants, value by value.
            var products = query
            products.options = [:]
            products.inStock = nil
            let selection = ProductSelection(query: products, like: self)
            try count(
                """
                SELECT MIN(name), MIN(value), COUNT(*) FROM (
                    SELECT MIN(o.name) AS name, MIN(o.value) AS value, MAX(v.available) AS most,
                        o.foldedName AS foldedName, o.foldedValue AS foldedValue
                    FROM product AS p
                    JOIN variant AS v ON v.product = p.number
                    JOIN variantChoice AS vc ON vc.variant = v.number
                    JOIN choice AS o ON o.number = vc.choice
                    WHERE \(selection.conditions().joined) AND \(which)
                        AND \(variantChoices(without: option).joined)
                    GROUP BY p.number, o.foldedName, o.foldedValue
                ) WHERE \(stock) GROUP BY foldedName, foldedValue
                """, in: database, into: &list
            ) { "option." + $0 }
        }

        private init(query: ProductQuery, like other: ProductSelection) {
            self.query = query
            sort = other.sort
            words = other.words
            choices = [:]
        }

        private func count(
            _ sql: SQL, in database: Database, into list: inout FacetList, name: (String) -> String
        ) throws {
            let rows = try SQLRequest<Row>(literal: sql).fetchCursor(database)
            while let row = try rows.next() { list.add(name(row[0]), value: row[1], count: row[2]) }
        }
    }

    extension [SQL] {
        fileprivate var joined: SQL { isEmpty ? "TRUE" : joined(separator: " AND ") }
    }
#endif

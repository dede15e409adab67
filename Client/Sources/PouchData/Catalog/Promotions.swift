import PouchEntities
import PouchWire

/// The promotions of a shop, from any number of sources.
extension ShopCatalog {
    /// The promotions of all sources, one source after the other. If one fails, the promotions of the others are
    /// returned with its failure; if all fail, the first failure is thrown.
    public func promotions() async throws(DataError) -> Dated<[Promotion]> {
        try await storing(\.promotions) { [self] () throws(DataError) in
            guard let promotionSources else { return try await promotions(of: source) }
            return try await Self.merged(promotionSources) { source throws(DataError) in
                try await promotions(of: source)
            }
        }
    }

    private func promotions(of source: any PromotionSource) async throws(DataError) -> Dated<[Promotion]> {
        try await source.promotions(find: { styles throws(DataError) in try await products(styles: styles) })
    }

    private static func merged(
        _ sources: [any PromotionSource],
        _ read: @escaping @Sendable (any PromotionSource) async throws(DataError) -> Dated<[Promotion]>
    ) async throws(DataError) -> Dated<[Promotion]> {
        let results = await together(sources, read)
        let lists = results.compactMap { try? $0.get() }
        let failures = results.compactMap { result in
            switch result {
            case .success(let list): list.failure
            case .failure(let error): error
            }
        }
        if lists.isEmpty, let failure = failures.first { throw failure }
        let all = lists.flatMap(\.value).enumerated().map { position, promotion in
            Promotion(product: promotion.product, image: promotion.image, position: position)
        }
        return Dated(all, asOf: lists.compactMap(\.asOf).min(), failure: failures.first)
    }

    // MARK: Products by style code

    /// The products with the style codes: those of the imported catalogue, and those of a source that answers queries,
    /// which may be newer than the import.
    private func products(styles: Set<String>) async throws(DataError) -> [String: Product] {
        var found: [String: Product] = [:]
        let isImported = await importedAt() != nil
        if isImported || !source.answersQueries {
            found = try await firstProducts(of: styles, in: ProductQuery(limit: Limits.pageSize.upperBound)) {
                [store] query throws(DataError) in try await mappingStoreErrors(await store.products(query))
            }
        }
        let missing = Array(styles.subtracting(found.keys))
        guard source.answersQueries, !missing.isEmpty else { return found }
        let searches = await Self.together(missing) { [source] style throws(DataError) in
            let search = ProductQuery(search: style, limit: Limits.pageSize.upperBound)
            return try await firstProducts(of: [style], in: search) { query throws(DataError) in
                try await source.products(query).value
            }
        }
        for search in searches {
            do throws(DataError) {
                found.merge(try search.get()) { $1 }
            } catch {
                // The source may be unreachable; the imported promotions are still shown.
                guard isImported else { throw error }
            }
        }
        return found
    }

    /// Reads a list page by page until all styles are found: neither a store nor a server has an index of them.
    private func firstProducts(
        of styles: Set<String>, in list: ProductQuery, _ read: (ProductQuery) async throws(DataError) -> ProductPage
    ) async throws(DataError) -> [String: Product] {
        var found: [String: Product] = [:]
        var cursors = CursorLoopGuard()
        var query = list
        repeat {
            let page = try await read(query)
            for product in page.items {
                if let style = product.styleCode, styles.contains(style) { found[style] = found[style] ?? product }
            }
            query.cursor = try cursors.follow(page.nextCursor)
        } while query.cursor != nil && found.count < styles.count
        return found
    }

    /// The results of concurrent calls, in the order of the elements.
    private static func together<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ call: @escaping @Sendable (Element) async throws(DataError) -> Value
    ) async -> [Result<Value, DataError>] {
        await withTaskGroup(of: (Int, Result<Value, DataError>).self) { group in
            for (index, element) in elements.enumerated() {
                group.addTask {
                    do throws(DataError) { return (index, .success(try await call(element))) } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [Int: Result<Value, DataError>] = [:]
            for await (index, result) in group { results[index] = result }
            return elements.indices.compactMap { results[$0] }
        }
    }
}

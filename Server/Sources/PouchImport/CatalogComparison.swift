import Foundation
import PouchDomain
import PouchEntities

/// Compares staged records with the catalogue. Only reads; the differences are then written in a short transaction.
struct CatalogComparison: Sendable {
    /// The number of variants that make a transaction large enough.
    private static let enough = 500
    /// The category of a product whose feed has none.
    static let uncategorised = ProductRules.uncategorised.name

    /// A product with the changes of the records.
    private struct Draft {
        let found: FoundEntry?
        var entry: CatalogEntry
        var state = ProductState(.published)
    }

    private var drafts: [String: Draft] = [:]
    private var idsByHandle: [String: String] = [:]
    private var idsByFeedHandle: [String: String] = [:]
    private var idsByStyle: [String: String] = [:]
    private var owners: [String: String] = [:]
    private var askedSKUs: Set<String> = []
    private var categories: [String: String] = [:]
    /// The handles and style codes that were looked up, found or not.
    private var askedHandles: Set<String> = []
    private var askedFeedHandles: Set<String> = []
    private var askedStyles: Set<String> = []
    private var named: [String] = []

    /// The last compared position; nil when there are no more records.
    private(set) var position: Int?
    private(set) var reports: [FeedRowError] = []
    private(set) var newCategories: [String: String] = [:]
    private(set) var changes: [String: CatalogChange] = [:]
    private(set) var promotions: Int?
    private(set) var variantCount = 0
    private let importRecord: ImportRecord
    private let ids: Identifier
    private let rules: ProductRules
    private let now: Date

    init(_ record: ImportRecord, in repositories: any ImportRepositories, environment: DomainEnvironment) throws {
        importRecord = record
        promotions = record.promotions
        ids = environment.ids
        rules = ProductRules(currency: environment.shop.currency)
        now = environment.time.now
        let imports = repositories.imports
        let records = try imports.staged(id: record.id, after: Int(record.cursor) ?? -1, limit: 200)
        try load(records.map(\.record), imports)
        for (position, record) in records where variantCount < Self.enough {
            try apply(record, at: position, imports)
            self.position = position
        }
    }

    /// The products that differ.
    private var changed: [Draft] {
        drafts.values.filter {
            ($0.entry != $0.found?.entry || $0.state != $0.found?.state) && !$0.entry.variants.isEmpty
        }
        .sorted { $0.entry.id < $1.entry.id }
    }

    /// Writes the differences and updates the record's report.
    func write(to record: inout ImportRecord, in imports: any ImportRepository) throws {
        guard let position else { return }
        let changed = changed
        // Staff may have created or changed a product since it was read. The next step then compares all of them again.
        try imports.lockCatalog()
        guard try isCurrent(changed, imports) else { return }
        try imports.save(
            changed.map { draft in
                var entry = draft.entry
                entry.updatedAt = now
                return (entry, draft.state)
            }, revision: record.revision)
        try imports.save(changed.flatMap(variants), revision: record.revision, at: now)
        if record.report.status != .dryRun { try imports.addCategories(newCategories) }
        try imports.note(changes, for: record.id)
        try imports.add(record.report.count(reports), to: record.id)
        try imports.removeStaged(id: record.id, upTo: position)

        record.report.products += try imports.name(products: Array(Set(named)).sorted(), in: record.id)
        record.report.variants += variantCount
        record.report.created += changed.count { $0.found == nil }
        record.report.updated += changed.count { ($0.found?.revision ?? record.revision) < record.revision }
        record.hasChanges = record.hasChanges || !changed.isEmpty
        record.promotions = promotions
        record.cursor = String(position)
    }

    private func variants(of draft: Draft) -> [DraftVariant] {
        let found = (draft.found?.entry.variants ?? []).byKey { ($0.sku, $0) }
        return draft.entry.variants.enumerated().compactMap { position, variant in
            let before = found[variant.sku]
            guard before != variant else { return nil }
            return DraftVariant(
                variant: variant, productId: draft.entry.id, position: position,
                isNew: draft.found?.unpublishedSKUs.contains(variant.sku)
                    ?? false || before == nil && draft.found?.removedSKUs.contains(variant.sku) != true)
        }
    }

    /// Whether staff have taken no product, handle or SKU since the catalogue was read.
    private func isCurrent(_ changed: [Draft], _ imports: any ImportRepository) throws -> Bool {
        let found = changed.compactMap(\.found)
        guard try imports.versions(ids: found.map(\.entry.id)) == found.byKey({ ($0.entry.id, $0.version) }) else {
            return false
        }
        let new = changed.filter { $0.found == nil }.map(\.entry)
        guard try imports.handlesInUse(new.map(\.handle)).isEmpty else { return false }
        let skus = changed.flatMap { draft in
            let known = Set(draft.found?.entry.variants.map(\.sku) ?? [])
            return draft.entry.variants.filter { !known.contains($0.sku) }.map { ($0.sku, draft.entry.id) }
        }
        let owners = try imports.productIds(skus: skus.map(\.0))
        return skus.allSatisfy { sku, id in owners[sku].map { $0 == id } ?? true }
    }

    // MARK: The catalogue

    private mutating func load(_ records: [StagedRecord], _ imports: any ImportRepository) throws {
        var (handles, feedHandles, styles, skus): (Set<String>, Set<String>, Set<String>, Set<String>) =
            ([], [], [], [])
        var categoryIds: Set<String> = [Self.uncategorised.slug]
        for record in records {
            switch record {
            case .product(let product):
                handles.insert(product.handle)
                feedHandles.insert(product.feedHandle ?? product.handle)
                if let style = product.styleCode { styles.insert(style) }
                if let category = product.categoryName { categoryIds.insert(category.slug) }
                for variant in product.variants { skus.insert(variant.sku) }
            case .promotion(let promotion): styles.insert(promotion.styleCode)
            case .season, .theme: break
            }
        }
        try find(handles: handles, feedHandles: feedHandles, styles: styles, imports)
        owners = try imports.productIds(skus: skus.sorted())
        askedSKUs = skus
        categories = try imports.categoryNames(ids: categoryIds.sorted())
    }

    private mutating func find(
        handles: Set<String> = [], feedHandles: Set<String> = [], styles: Set<String> = [],
        _ imports: any ImportRepository
    ) throws {
        let handles = handles.subtracting(askedHandles)
        let feedHandles = feedHandles.subtracting(askedFeedHandles)
        let styles = styles.subtracting(askedStyles)
        guard !handles.isEmpty || !feedHandles.isEmpty || !styles.isEmpty else { return }
        askedHandles.formUnion(handles)
        askedFeedHandles.formUnion(feedHandles)
        askedStyles.formUnion(styles)
        let found = try imports.entries(
            handles: handles.sorted(), feedHandles: feedHandles.sorted(), styleCodes: styles.sorted(),
            revision: importRecord.revision)
        for found in found where drafts[found.entry.id] == nil {
            keep(Draft(found: found, entry: found.entry, state: found.state))
        }
    }

    private mutating func keep(_ draft: Draft) {
        let entry = draft.entry
        drafts[entry.id] = draft
        idsByHandle[entry.handle] = entry.id
        if let handle = entry.feedHandle { idsByFeedHandle[handle] = entry.id }
        if let style = entry.styleCode { idsByStyle[style] = min(idsByStyle[style] ?? entry.id, entry.id) }
        for variant in entry.variants { owners[variant.sku] = entry.id }
    }

    private mutating func draft(handle: String, _ imports: any ImportRepository) throws -> Draft? {
        try find(handles: [handle], imports)
        return idsByHandle[handle].flatMap { drafts[$0] }
    }

    private mutating func draft(feedHandle: String, _ imports: any ImportRepository) throws -> Draft? {
        try find(feedHandles: [feedHandle], imports)
        return idsByFeedHandle[feedHandle].flatMap { drafts[$0] }
    }

    private mutating func draft(styleCode: String, _ imports: any ImportRepository) throws -> Draft? {
        try find(styles: [styleCode], imports)
        return idsByStyle[styleCode].flatMap { drafts[$0] }
    }

    // MARK: Records

    private mutating func apply(_ record: StagedRecord, at position: Int, _ imports: any ImportRepository) throws {
        switch record {
        case .season(let season): note(.season(season), at: position)
        case .theme(let theme): note(.theme(theme), at: position)
        case .product(let product): try apply(product, imports)
        case .promotion(let promotion): try apply(promotion, at: position, imports)
        }
    }

    private mutating func note(_ change: CatalogChange, at position: Int) {
        changes[String(format: "record/%015d", position)] = change
    }

    private mutating func apply(_ feed: FeedProduct, _ imports: any ImportRepository) throws {
        let old = try existing(feed, imports)
        let (fitted, reports) = try feed.fitted(to: old?.entry.variants ?? []) { sku in
            try owner(ofSKU: sku, imports).map { $0 != old?.entry.id } ?? false
        }
        self.reports += reports
        guard let feed = fitted else { return }
        var draft =
            try old
            ?? Draft(
                found: nil,
                entry: CatalogEntry(
                    id: ids.make(.product), handle: freeHandle(feed, imports), name: feed.handle,
                    categoryId: Self.uncategorised.slug, updatedAt: now))
        let categoryName = feed.categoryName ?? (old == nil ? Self.uncategorised : nil)
        draft.entry.merge(feed, categoryId: categoryName?.slug)
        if let status = feed.status { draft.state = draft.state.following(status, isNew: draft.found == nil, at: now) }
        guard !draft.entry.variants.isEmpty else { return }
        if let problem = rules.problems(in: ProductTerms(draft.entry.managed), of: draft.found?.entry.managed).first {
            self.reports.append(FeedRowError(line: feed.line, code: .conflict, detail: problem.detail))
            return
        }
        if let categoryName { setCategory(categoryName) }
        keep(draft)
        named.append(draft.entry.id)
        variantCount += feed.variants.count
    }

    /// Customers do not see a new category before its products, so it can be written immediately.
    private mutating func setCategory(_ name: String) {
        let id = name.slug
        guard let known = categories[id] else {
            categories[id] = name
            newCategories[id] = name
            return
        }
        // An export names a category by its id if an import would derive another id from its name.
        if known != name, name != id {
            categories[id] = name
            changes["category/" + id] = .category(id: id, name: name)
        }
    }

    /// The product of a record: the one with its style code, or with its handle if one of the two has no style code.
    /// Two style codes with the same name are two products, and so are two handles of a feed, however similar.
    private mutating func existing(_ feed: FeedProduct, _ imports: any ImportRepository) throws -> Draft? {
        guard let styleCode = feed.styleCode else {
            let namesake = try draft(handle: feed.handle, imports)
            guard let handle = feed.feedHandle else { return try namesake ?? draft(feedHandle: feed.handle, imports) }
            return try draft(feedHandle: handle, imports) ?? (namesake?.entry.feedHandle == nil ? namesake : nil)
        }
        if let draft = try draft(styleCode: styleCode, imports) { return draft }
        let namesake = try draft(handle: feed.handle, imports)
        return namesake?.entry.styleCode == nil ? namesake : nil
    }

    /// The feed's handle, with the style code or a number appended until it is free.
    private mutating func freeHandle(_ feed: FeedProduct, _ imports: any ImportRepository) throws -> String {
        var (handle, number) = (feed.handle, 1)
        while try draft(handle: handle, imports) != nil {
            number += 1
            handle = feed.styleCode.map { handle + "-" + $0.slug } ?? "\(feed.handle)-\(number)"
        }
        return handle
    }

    private mutating func owner(ofSKU sku: String, _ imports: any ImportRepository) throws -> String? {
        if !askedSKUs.contains(sku) {
            askedSKUs.insert(sku)
            for (sku, owner) in try imports.productIds(skus: [sku]) where owners[sku] == nil { owners[sku] = owner }
        }
        return owners[sku]
    }

    /// Adds a promotion. A feed with promotions replaces all existing ones; a feed without any leaves them unchanged.
    private mutating func apply(_ promotion: FeedPromotion, at position: Int, _ imports: any ImportRepository) throws {
        let number = promotions ?? 0
        promotions = number
        guard let entry = try draft(styleCode: promotion.styleCode, imports)?.entry,
            let image = promotion.image ?? entry.promoImage ?? entry.images.first
        else {
            reports.append(
                FeedRowError(
                    line: promotion.line, field: "style", code: .invalid,
                    detail: "no product with an image has the style \(promotion.styleCode)"))
            return
        }
        note(.promotion(.init(productId: entry.id, image: image, position: number)), at: position)
        promotions = number + 1
    }
}

extension CatalogEntry {
    /// The product in the form in which staff change it, without its stock.
    fileprivate var managed: ManagedProduct {
        let details = ProductDetails(
            handle: handle, name: name, styleCode: styleCode, description: description, seasonId: seasonId,
            themeId: themeId, category: categoryId, tags: tags, materials: materials,
            careInstructions: careInstructions, options: options, images: images, promoImage: promoImage)
        return ManagedProduct(
            id: id, version: 1, state: ProductState(.draft), details: details, updatedAt: updatedAt,
            variants: variants.map {
                StockedVariant(
                    sku: $0.sku, options: $0.options, price: $0.price, compareAtPrice: $0.compareAtPrice,
                    weightGrams: $0.weightGrams, available: 0, onHand: 0, held: 0)
            })
    }
}

extension ProductState {
    /// The state after applying the feed's status. A product that is not on sale anyway keeps its state.
    fileprivate func following(_ status: FeedStatus, isNew: Bool, at now: Date) -> ProductState {
        let current = settled(at: now)
        switch status {
        case .forSale: return current.status == .published ? self : ProductState(.published)
        case .archived: return ProductState(.archived)
        case .notForSale where isNew: return ProductState(.draft)
        case .notForSale: return current.status == .published ? ProductState(.withdrawn) : self
        }
    }
}

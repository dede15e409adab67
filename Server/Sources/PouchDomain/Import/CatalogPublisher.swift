import Foundation
import PouchEntities

/// Compares the staged records with the catalogue and takes over what differs, within one transaction.
struct CatalogPublisher {
    /// Records that are read from the staging area at a time.
    private static let batch = 500
    /// The category of a product whose feed names none.
    private static let uncategorised = "Uncategorised"

    private let importId: String
    private let repositories: any Repositories
    private let ids: Identifier
    private let now: Date
    private var report: ImportReport
    /// How each product came out, by handle; a product may stand in several records.
    private var outcomes: [String: Outcome] = [:]
    private var promotions: [FeedPromotion] = []
    private var hasChanges = false

    private enum Outcome: Int {
        case unchanged
        case updated
        case created
    }

    init(_ report: ImportReport, repositories: any Repositories, environment: DomainEnvironment) {
        importId = report.id
        self.report = report
        self.repositories = repositories
        ids = environment.ids
        now = environment.time.now
    }

    /// - Returns: the report with what was found.
    mutating func publish() throws -> ImportReport {
        var position = -1
        while true {
            let records = try repositories.imports.staged(id: importId, after: position, limit: Self.batch)
            guard let last = records.last else { break }
            position = last.position
            for (_, record) in records { try apply(record) }
        }
        try applyPromotions()
        if try repositories.imports.publishAssets(id: importId) > 0 { hasChanges = true }
        if hasChanges { try repositories.imports.raiseVersion() }
        try repositories.imports.discard(id: importId)
        for outcome in outcomes.values {
            switch outcome {
            case .created: report.created += 1
            case .updated: report.updated += 1
            case .unchanged: report.unchanged += 1
            }
        }
        report.products = outcomes.count
        report.errors.sort { $0.line < $1.line }
        return report
    }

    private mutating func apply(_ record: StagedRecord) throws {
        switch record {
        case .season(let season): if try repositories.imports.save(season) { hasChanges = true }
        case .theme(let theme): if try repositories.imports.save(theme) { hasChanges = true }
        case .product(let product): try apply(product)
        case .promotion(let promotion): promotions.append(promotion)
        }
    }

    private mutating func apply(_ feed: FeedProduct) throws {
        let old = try existing(feed)
        let categoryName = feed.categoryName ?? (old == nil ? Self.uncategorised : nil)
        if let categoryName, try repositories.imports.saveCategory(id: categoryName.slug, name: categoryName) {
            hasChanges = true
        }
        let categoryId = categoryName?.slug
        let feed = try withoutForeignVariants(feed, productId: old?.id)
        var entry =
            try old
            ?? CatalogEntry(
                id: ids.make(.product), handle: freeHandle(feed), name: feed.handle,
                categoryId: Self.uncategorised.slug, updatedAt: now)
        entry.merge(feed, categoryId: categoryId)
        guard !entry.variants.isEmpty else { return }

        report.variants += feed.variants.count
        let outcome: Outcome = old == nil ? .created : entry == old ? .unchanged : .updated
        outcomes[entry.handle] = max(outcomes[entry.handle] ?? .unchanged, outcome)
        guard outcome != .unchanged else { return }
        hasChanges = true
        entry.updatedAt = now
        try repositories.imports.save(entry)
        try setStock(of: entry, before: old)
    }

    /// The product that the record is about: the one with its style code; by the handle alone where one of the two has
    /// no style code, since two styles of one name are two products.
    private func existing(_ feed: FeedProduct) throws -> CatalogEntry? {
        guard let styleCode = feed.styleCode else { return try repositories.imports.entry(handle: feed.handle) }
        if let entry = try repositories.imports.entry(styleCode: styleCode) { return entry }
        let namesake = try repositories.imports.entry(handle: feed.handle)
        return namesake?.styleCode == nil ? namesake : nil
    }

    /// The feed's handle, with the style code behind it as often as it takes until no product has it.
    private func freeHandle(_ feed: FeedProduct) throws -> String {
        var handle = feed.handle
        guard let styleCode = feed.styleCode else { return handle }
        while try repositories.imports.entry(handle: handle) != nil { handle += "-" + styleCode.slug }
        return handle
    }

    /// Only where the feed's figure differs from the last one, so that units sold since do not come back.
    private func setStock(of entry: CatalogEntry, before old: CatalogEntry?) throws {
        for variant in entry.variants {
            let before = old?.variants.first { $0.sku == variant.sku }
            if let units = variant.importedStock, units != before?.importedStock {
                try repositories.imports.setOnHand(sku: variant.sku, units, at: now)
            }
        }
    }

    /// A SKU names one variant in the whole shop; one that another product has already is reported.
    private mutating func withoutForeignVariants(_ feed: FeedProduct, productId: String?) throws -> FeedProduct {
        var kept: [FeedVariant] = []
        for variant in feed.variants {
            if let owner = try repositories.imports.productId(sku: variant.sku), owner != productId {
                report.add(
                    FeedRowError(
                        line: feed.line, code: .duplicateSKU,
                        detail: "Another product has the SKU \(variant.sku) already."))
            } else {
                kept.append(variant)
            }
        }
        return feed.with(variants: kept)
    }

    /// A feed with promotions names all of them; one without leaves them as they are.
    private mutating func applyPromotions() throws {
        guard !promotions.isEmpty else { return }
        var wanted: [CatalogContent.PromotedProduct] = []
        for promotion in promotions.sorted(by: { $0.position < $1.position }) {
            guard let entry = try repositories.imports.entry(styleCode: promotion.styleCode),
                let image = promotion.image ?? entry.promoImage ?? entry.images.first
            else {
                report.add(
                    FeedRowError(
                        line: promotion.line, field: "style", code: .invalid,
                        detail: "There is no product with an image that has the style \(promotion.styleCode)."))
                continue
            }
            wanted.append(.init(productId: entry.id, image: image, position: wanted.count))
        }
        guard try repositories.imports.promotions() != wanted else { return }
        try repositories.imports.replacePromotions(wanted)
        hasChanges = true
    }

    private func max(_ first: Outcome, _ second: Outcome) -> Outcome {
        first.rawValue >= second.rawValue ? first : second
    }
}

extension FeedProduct {
    fileprivate func with(variants: [FeedVariant]) -> FeedProduct {
        FeedProduct(
            line: line, handle: handle, styleCode: styleCode, name: name, description: description,
            seasonId: seasonId, themeId: themeId, categoryName: categoryName, tags: tags, materials: materials,
            careInstructions: careInstructions, options: options, images: images, promoImage: promoImage,
            variants: variants)
    }
}

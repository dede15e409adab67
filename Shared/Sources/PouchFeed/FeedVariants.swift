import PouchEntities

extension FeedProduct {
    /// The record with the SKUs that its variants have in the shop, without variants that the product cannot have.
    ///
    /// A variant is identified by its SKU, otherwise by its options. A SKU that another variant already has is extended
    /// by the handle and the options, so that it is the same in every import.
    ///
    /// - Parameters:
    ///   - stored: the existing variants of the product.
    ///   - isForeign: whether another product has a SKU.
    /// - Returns: the record, nil if the product cannot have it; and what was omitted or changed.
    public func fitted(
        to stored: [CatalogEntry.Variant], isForeign: (String) throws -> Bool
    ) rethrows -> (record: FeedProduct?, reports: [FeedRowError]) {
        var fitting = VariantFitting(feed: self, stored: stored)
        var record = self
        record.variants = try variants.compactMap { try fitting.fit($0, isForeign) }
        if let conflict = fitting.conflict(with: record.variants) { return (nil, [conflict]) }
        return (record, fitting.reports)
    }

    fileprivate func report(
        _ variant: FeedVariant?, _ code: FeedRowError.Code, _ detail: String, _ severity: FeedRowError.Severity
    ) -> FeedRowError {
        FeedRowError(line: variant?.line ?? line, code: code, detail: detail, severity: severity)
    }
}

/// Finds the SKUs of a record's variants, one after the other.
private struct VariantFitting {
    let feed: FeedProduct
    let stored: [CatalogEntry.Variant]
    /// The number of times that the record uses each SKU.
    private let uses: [String: Int]
    private var skus: [[String: String]: String] = [:]
    private var taken: Set<String> = []
    private(set) var reports: [FeedRowError] = []

    init(feed: FeedProduct, stored: [CatalogEntry.Variant]) {
        self.feed = feed
        self.stored = stored
        uses = Dictionary(feed.variants.map { ($0.sku, 1) }, uniquingKeysWith: +)
    }

    /// - Returns: nil if the product has another variant with the same options.
    mutating func fit(_ variant: FeedVariant, _ isForeign: (String) throws -> Bool) rethrows -> FeedVariant? {
        if let other = skus[variant.options] {
            return refuse(variant, "an earlier row of the product, “\(other)”, has the same options")
        }
        let sku = try sku(of: variant, isForeign)
        let twin = stored.first { $0.options == variant.options && $0.sku != sku && uses[$0.sku] == nil }
        if let twin {
            return refuse(
                variant, "the product's variant “\(twin.sku)”, which is not in the file, has the same options")
        }
        skus[variant.options] = sku
        taken.insert(sku)
        guard sku != variant.sku else { return variant }
        let isTaken = try taken.contains(variant.sku) || isForeign(variant.sku)
        reports.append(
            feed.report(
                variant, isTaken ? .duplicateSKU : .changed,
                isTaken
                    ? "another variant has the SKU “\(variant.sku)”, so this one has “\(sku)”"
                    : "the shop already has this variant under the SKU “\(sku)”, which it keeps", .note))
        var own = variant
        own.sku = sku
        return own
    }

    private mutating func refuse(_ variant: FeedVariant, _ detail: String) -> FeedVariant? {
        reports.append(feed.report(variant, .duplicateVariant, detail, .error))
        return nil
    }

    private func sku(of variant: FeedVariant, _ isForeign: (String) throws -> Bool) rethrows -> String {
        let sku = variant.sku
        let isFree = try !taken.contains(sku) && !isForeign(sku)
        let bearer = stored.first { $0.sku == sku }
        let isAlone = uses[sku] == 1
        if isFree, let bearer, isAlone || bearer.options == variant.options { return sku }
        if let known = stored.first(where: {
            $0.options == variant.options && uses[$0.sku] == nil && !taken.contains($0.sku)
        }) {
            return known.sku
        }
        let isOfAnother = bearer.map { bearer in feed.variants.contains { $0.options == bearer.options } } ?? false
        if isFree, isAlone || !isOfAnother { return sku }
        return try ownSKU(of: variant, isForeign)
    }

    private func ownSKU(of variant: FeedVariant, _ isForeign: (String) throws -> Bool) rethrows -> String {
        let choices = variant.options.sorted { $0.key < $1.key }.map(\.value.slug)
        let whole = ([variant.sku, feed.handle] + choices).joined(separator: "-")
        let base = String(whole.prefix(ModelLimits.textLength.upperBound - 6))
        var (sku, number) = (base, 1)
        while try taken.contains(sku) || uses[sku] != nil || stored.contains(where: { $0.sku == sku })
            || isForeign(sku)
        {
            number += 1
            sku = "\(base)-\(number)"
        }
        return sku
    }

    /// The reason why the product cannot have the variants of the record together with those that it keeps.
    func conflict(with variants: [FeedVariant]) -> FeedRowError? {
        guard let names = variants.first.map({ Set($0.options.keys) }) else { return nil }
        let named = Set(variants.map(\.sku))
        if let other = variants.first(where: { Set($0.options.keys) != names }) {
            return feed.report(
                other, .conflict, "the product's variants do not all have the same options, so this one was left out",
                .error)
        }
        guard let kept = stored.first(where: { !named.contains($0.sku) && Set($0.options.keys) != names }) else {
            return nil
        }
        func list(_ names: some Sequence<String>) -> String { names.sorted().joined(separator: ", ") }
        let others = kept.options.isEmpty ? "no options" : "the options \(list(kept.options.keys))"
        return feed.report(
            nil, .conflict,
            "the product has a variant “\(kept.sku)” with \(others), and the variants in the file have "
                + (names.isEmpty ? "none" : list(names)) + "; remove it in the shop first", .error)
    }
}

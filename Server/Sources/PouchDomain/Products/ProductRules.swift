import Foundation
import PouchEntities

/// A variant whose terms were checked.
struct CheckedVariant {
    let sku: String
    let terms: VariantTerms
    let options: [String: String]

    /// - Parameter old: the stored variant; nil for a new one.
    func stocked(like old: StockedVariant?) -> StockedVariant {
        let units = old.map { ($0.available, $0.onHand, $0.held) } ?? (terms.stock ?? 0, terms.stock ?? 0, 0)
        return StockedVariant(
            sku: sku, options: options, price: terms.price, compareAtPrice: terms.compareAtPrice,
            weightGrams: terms.weightGrams, available: units.0, onHand: units.1, held: units.2)
    }
}

extension [CheckedVariant] {
    /// The units that the terms state, by SKU.
    var stock: [String: Int] { byKey { ($0.sku, $0.terms.stock) }.compactMapValues(\.self) }
}

/// The rules for the terms of a product that involve no other product, for staff and feeds alike.
package struct ProductRules {
    /// The category of products without one, also used by imports.
    package static let uncategorised = (id: "uncategorised", name: "Uncategorised")

    let currency: Currency

    package init(currency: Currency) {
        self.currency = currency
    }

    /// - Parameter old: the stored product; nil for a new one.
    /// - Throws: `DomainError.invalid` with all problems.
    func check(
        _ terms: ProductTerms, of old: ManagedProduct?
    ) throws(DomainError) -> (ProductDetails, [CheckedVariant]) {
        var problems = problems(in: terms, of: old)
        let handle = terms.handle ?? terms.name.slug
        var ignored: [InvalidField] = []
        let variants = self.variants(terms.variants ?? [], handle: handle, old, &ignored)
        let isForSale = terms.status == .published || terms.publishAt != nil
        if isForSale, variants.isEmpty {
            let detail =
                old?.state.status == .published
                ? "A product on sale needs at least one variant. Take it off sale first, or add another variant."
                : "A product needs a variant before it can be published."
            problems.add("variants", .invalid, detail)
        }
        if terms.status == .unrecognised {
            let words = ProductStatus.allCases.filter { $0 != .unrecognised }.map(\.rawValue)
            problems.add("status", .invalid, "The status must be one of \(words.joined(separator: ", ")).")
        }
        try problems.check()
        let options = [ProductOption](
            of: variants.map(\.options), inOrderOf: Self.known(terms, old?.details.options ?? []))
        let details = ProductDetails(
            handle: handle, name: terms.name.singleLine, styleCode: Self.text(terms.styleCode?.singleLine),
            description: Self.text(terms.description?.tidyLines), seasonId: Self.text(terms.seasonId),
            themeId: Self.text(terms.themeId), category: terms.category ?? Self.uncategorised.id,
            tags: Self.distinct(terms.tags ?? []), materials: terms.materials.map(Self.distinct).flatMap(Self.list),
            careInstructions: Self.text(terms.careInstructions?.tidyLines), options: options,
            images: images(terms), promoImage: terms.promoImage.map { image(of: terms, $0) })
        return (details, variants)
    }

    /// The problems of the terms that the stored product does not have: what an earlier version stored can still be
    /// changed.
    package func problems(in terms: ProductTerms, of old: ManagedProduct?) -> [InvalidField] {
        func found(_ terms: ProductTerms) -> [InvalidField] {
            var problems = texts(terms) + lists(terms)
            let variants = self.variants(
                terms.variants ?? [], handle: terms.handle ?? terms.name.slug, old, &problems)
            return problems + self.problems(of: variants, in: terms)
        }
        let problems = found(terms)
        guard !problems.isEmpty, let old else { return problems }
        // A removed variant shifts the others, so positions do not count.
        func kind(_ problem: InvalidField) -> [String] { [problem.field.filter { !$0.isNumber }, problem.detail] }
        var known = found(ProductTerms(old)).reduce(into: [:]) { $0[kind($1), default: 0] += 1 }
        return problems.filter { problem in
            known[kind(problem), default: 0] -= 1
            return known[kind(problem), default: 0] < 0
        }
    }

    // MARK: Texts

    private func texts(_ terms: ProductTerms) -> [InvalidField] {
        var problems = InvalidField.length("name", terms.name.singleLine, in: ModelLimits.productNameLength)
        let short = ModelLimits.textLength
        if let handle = terms.handle {
            if handle != handle.slug || !short.contains(handle.count) {
                problems.add(
                    "handle", .invalid,
                    "A handle has up to \(short.upperBound) characters: a-z, 0-9 and single hyphens between them.")
            }
        }
        problems += InvalidField.length("description", terms.description ?? "", in: ModelLimits.descriptionLength)
        problems += InvalidField.length(
            "careInstructions", terms.careInstructions ?? "", in: ModelLimits.descriptionLength)
        problems += InvalidField.length("styleCode", terms.styleCode ?? "", in: 0...short.upperBound)
        return problems
    }

    private func lists(_ terms: ProductTerms) -> [InvalidField] {
        var problems: [InvalidField] = []
        for (field, words) in [("tags", terms.tags), ("materials", terms.materials)] {
            guard let words else { continue }
            problems += InvalidField.number(field, words.count, in: 0...ModelLimits.productTags)
            for (index, word) in words.enumerated() {
                problems += InvalidField.length("\(field).\(index)", word.singleLine, in: ModelLimits.textLength)
            }
        }
        if let index = terms.tags?.firstIndex(where: { $0.contains(",") }) {
            problems.add("tags.\(index)", .invalid, "A tag must not contain a comma.")
        }
        let images = terms.images ?? []
        problems += InvalidField.number("images", images.count, in: 0...ModelLimits.productImages)
        for (index, image) in images.enumerated() { problems += self.problems("images.\(index)", image) }
        if Set(images.map(\.url)).count < images.count {
            problems.add("images", .invalid, "Use each picture only once.")
        }
        if let image = terms.promoImage { problems += self.problems("promoImage", image) }
        return problems
    }

    private func problems(_ field: String, _ image: ProductImage) -> [InvalidField] {
        let parts = URLComponents(string: image.url)
        let isWebAddress = ["http", "https"].contains(parts?.scheme?.lowercased()) && parts?.host?.isEmpty == false
        let isOwn = image.url.hasPrefix(PictureFile.urlPrefix) && parts != nil
        var problems = InvalidField.length(
            "\(field).alt", image.alt.singleLine, in: 0...ModelLimits.productNameLength.upperBound)
        if !(isWebAddress || isOwn) || image.url.utf8.count > 2_000 {
            problems.add("\(field).url", .invalid, "The URL must be the one returned by the upload, or a web address.")
        }
        return problems
    }

    private func images(_ terms: ProductTerms) -> [ProductImage] {
        (terms.images ?? []).map { image(of: terms, $0) }
    }

    /// Uses the product's name for a picture without a description.
    private func image(of terms: ProductTerms, _ image: ProductImage) -> ProductImage {
        let alt = image.alt.singleLine
        return ProductImage(url: image.url, alt: alt.isEmpty ? terms.name.singleLine : alt)
    }

    private static func text(_ text: String?) -> String? { text?.isEmpty == true ? nil : text }

    private static func list(_ words: [String]) -> [String]? { words.isEmpty ? nil : words }

    private static func distinct(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.map(\.singleLine).filter { seen.insert($0).inserted }
    }

    // MARK: Variants

    private func variants(
        _ terms: [VariantTerms], handle: String, _ old: ManagedProduct?, _ problems: inout [InvalidField]
    ) -> [CheckedVariant] {
        problems += InvalidField.number("variants", terms.count, in: 0...ModelLimits.productVariants)
        let stored = Set(old?.variants.map(\.sku) ?? [])
        var (skus, combinations): (Set<String>, Set<[String: String]>) = ([], [])
        let names = terms.first.map { Set(($0.options ?? [:]).keys.map(\.singleLine)) } ?? []
        return terms.prefix(ModelLimits.productVariants).enumerated().map { index, variant in
            let field = "variants.\(index)"
            let options = (variant.options ?? [:]).map { ($0.key.singleLine, $0.value.singleLine) }.byKey { $0 }
            for (name, value) in options {
                problems += InvalidField.length("\(field).options", name, in: ModelLimits.textLength)
                problems += InvalidField.length("\(field).options", value, in: ModelLimits.textLength)
            }
            if Set(options.keys) != names {
                let all = names.sorted().joined(separator: ", ")
                let expected = names.isEmpty ? "no options" : "a value for each of: \(all)"
                problems.add("\(field).options", .invalid, "Like the first variant, each must have \(expected).")
            } else if !combinations.insert(options).inserted {
                problems.add("\(field).options", .invalid, "Two variants have the same values for all options.")
            }
            let given = variant.sku?.singleLine.precomposedStringWithCanonicalMapping
            let sku = given ?? ([handle] + options.sorted { $0.key < $1.key }.map(\.value.slug)).joined(separator: "-")
            problems += InvalidField.length("\(field).sku", sku, in: ModelLimits.textLength)
            if !skus.insert(sku).inserted {
                problems.add("\(field).sku", .invalid, "Two variants have the SKU “\(sku.prefix(80))”.")
            }
            problems += self.problems(field, variant, isNew: !stored.contains(sku))
            return CheckedVariant(sku: sku, terms: variant, options: options)
        }
    }

    private func problems(_ field: String, _ variant: VariantTerms, isNew: Bool) -> [InvalidField] {
        var problems = variant.price.problems("\(field).price", currency: currency)
        if let compareAtPrice = variant.compareAtPrice {
            problems += compareAtPrice.problems("\(field).compareAtPrice", currency: currency)
            if compareAtPrice.currency == variant.price.currency, compareAtPrice.amount <= variant.price.amount {
                problems.add(
                    "\(field).compareAtPrice", .outOfRange, "The compare-at price must be higher than the price.")
            }
        }
        if let grams = variant.weightGrams {
            problems += InvalidField.number("\(field).weightGrams", grams, in: ModelLimits.weight)
        }
        if let stock = variant.stock {
            problems += InvalidField.number("\(field).stock", stock, in: ModelLimits.stock)
            if !isNew {
                problems.add(
                    "\(field).stock", .invalid,
                    "Only a new variant can set its stock. Change the stock of this one by its SKU.")
            }
        }
        return problems
    }

    /// The options in the given order, followed by the previous ones.
    private static func known(_ terms: ProductTerms, _ old: [ProductOption]) -> [ProductOption] {
        let stated = terms.options ?? []
        return stated + old.filter { option in !stated.contains { $0.name == option.name } }
    }

    private func problems(of variants: [CheckedVariant], in terms: ProductTerms) -> [InvalidField] {
        var problems: [InvalidField] = []
        for (index, option) in (terms.options ?? []).enumerated() {
            problems += InvalidField.length("options.\(index).name", option.name, in: ModelLimits.textLength)
            problems += InvalidField.number(
                "options.\(index).values", option.values.count, in: 0...ModelLimits.productVariants)
            for value in option.values {
                problems += InvalidField.length("options.\(index).values", value, in: ModelLimits.textLength)
            }
        }
        let count = max(terms.options?.count ?? 0, Set(variants.flatMap(\.options.keys)).count)
        if count > ModelLimits.productOptions {
            problems.add("options", .outOfRange, "A product can have up to \(ModelLimits.productOptions) options.")
        }
        return problems
    }
}

extension InvalidField {
    static func length(_ field: String, _ text: String, in range: ClosedRange<Int>) -> [InvalidField] {
        guard !range.contains(text.count) || text.utf8.contains(0) else { return [] }
        guard !text.utf8.contains(0) else { return [InvalidField(field, .invalid, "\(field) has a NUL character.")] }
        return [
            InvalidField(
                field, .outOfRange, "\(field) must have from \(range.lowerBound) to \(range.upperBound) characters.")
        ]
    }
}

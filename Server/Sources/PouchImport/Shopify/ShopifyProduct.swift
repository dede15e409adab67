import Foundation
import PouchEntities

/// Collects consecutive rows of one handle into a product.
struct ShopifyProduct {
    /// The largest number of rows of one handle, which bounds the memory. Shopify itself allows 2048 variants and 250
    /// images.
    static let maximumRows = 4096

    let handle: String
    private let currency: Currency
    private let firstLine: Int
    private var titleRow: ShopifyRow?
    private var rows = 0
    private var optionNames: [String?] = [nil, nil, nil]
    private var optionValues: [[String]] = [[], [], []]
    private var variants: [FeedVariant] = []
    private var skus: Set<String> = []
    private var images: [(url: String, alt: String, position: Int?)] = []
    private var firstLineIsReported = false

    init(first row: ShopifyRow, currency: Currency) {
        handle = row.handle
        firstLine = row.line
        self.currency = currency
    }

    /// - Returns: the errors of the row. A bad variant does not drop the row's image, nor the reverse.
    mutating func add(_ row: ShopifyRow) -> [FeedRowError] {
        var errors: [FeedRowError] = []
        do throws(FeedRowError) {
            rows += 1
            guard rows <= Self.maximumRows else {
                throw row.failure(nil, .tooManyRows, "a product has at most \(Self.maximumRows) rows")
            }
            if titleRow == nil, !row[.title].isEmpty { try readTitle(row) }
            guard row.hasVariant || row.hasImage || !row[.title].isEmpty else {
                throw row.failure(nil, .required, "the row has only a handle")
            }
            if row.hasVariant { try readVariant(row) }
        } catch {
            errors.append(error)
        }
        if row.hasImage, rows <= Self.maximumRows {
            do throws(FeedRowError) { try readImage(row) } catch { errors.append(error) }
        }
        if row.line == firstLine, !errors.isEmpty { firstLineIsReported = true }
        return errors
    }

    /// The product, or the reason why it is left out; nil when that was reported before.
    func record() -> FeedRecord? {
        let hasContent = titleRow == nil ? !variants.isEmpty || !images.isEmpty : !variants.isEmpty
        guard hasContent else {
            guard !firstLineIsReported else { return nil }
            return .bad(
                FeedRowError(
                    line: firstLine, field: ShopifyColumn.price.rawValue, code: .noVariants,
                    detail: "“\(handle)” has no variant that can be sold"))
        }
        return .product(
            FeedProduct(
                line: firstLine,
                handle: handle,
                name: titleRow?[.title],
                description: titleRow?.named(.body) { HTMLText.plain($0) },
                categoryName: titleRow?.named(.type) {
                    $0.slug.isEmpty ? CatalogComparison.uncategorised : $0.singleLine
                }
                    ?? titleRow.map { _ in CatalogComparison.uncategorised },
                tags: titleRow?.named(.tags) { Self.tags($0) },
                options: variants.isEmpty ? nil : options,
                images: images.isEmpty ? titleRow?.named(.imageSource) { _ in [] } : productImages,
                variants: variants,
                status: titleRow.flatMap(Self.status)))
    }

    /// - Returns: nil when the file does not say it.
    private static func status(_ row: ShopifyRow) -> FeedStatus? {
        switch (row[.status].lowercased(), row[.published].lowercased()) {
        case ("archived", _): .archived
        case ("draft", _), (_, "false"): .notForSale
        case ("active", _), (_, "true"): .forSale
        default: nil
        }
    }

    private var options: [ProductOption] {
        zip(optionNames, optionValues).compactMap { name, values in
            name.map { ProductOption(name: $0, values: values) }
        }.filter { !$0.values.isEmpty }
    }

    /// By position; images without one come last, in the order of the file.
    private var productImages: [ProductImage] {
        images.enumerated()
            .sorted { ($0.element.position ?? .max, $0.offset) < ($1.element.position ?? .max, $1.offset) }
            .map { ProductImage(url: $0.element.url, alt: $0.element.alt) }
    }

    private static func tags(_ text: String) -> [String] {
        var seen: Set<String> = []
        return text.split(separator: ",").map { String($0).singleLine }.filter {
            !$0.isEmpty && seen.insert($0).inserted
        }
    }

    private mutating func readTitle(_ row: ShopifyRow) throws(FeedRowError) {
        let most = ModelLimits.productNameLength.upperBound
        guard row[.title].count <= most else {
            throw row.failure(.title, .tooLong, "a title has at most \(most) characters")
        }
        guard row.raw(.body).count <= ModelLimits.descriptionLength.upperBound else {
            throw row.failure(
                .body, .tooLong,
                "a description has at most \(ModelLimits.descriptionLength.upperBound) characters")
        }
        guard row[.type].count <= ModelLimits.textLength.upperBound else {
            throw row.failure(
                .type, .tooLong, "a type has at most \(ModelLimits.textLength.upperBound) characters")
        }
        titleRow = row
    }

    private static let exportIdLength = 64

    private mutating func readVariant(_ row: ShopifyRow) throws(FeedRowError) {
        let chosen = try readOptions(row)
        let numbers = FeedNumbers(line: row.line, currency: currency)
        guard !row[.price].isEmpty else { throw row.failure(.price, .required, "a variant needs a price") }
        let price = try numbers.price(row[.price], field: row.title(.price))
        let compareAtPrice: Money? =
            row[.compareAtPrice].isEmpty
            ? nil
            : try numbers.compareAtPrice(
                row[.compareAtPrice], price: price, field: row.title(.compareAtPrice))
        let stock = try readCount(.quantity, row, numbers)
        let grams = try readCount(.grams, row, numbers)
        let sku = row[.sku].isEmpty ? ([handle] + chosen.map(\.value.slug)).joined(separator: "-") : row[.sku]
        guard sku.count <= ModelLimits.textLength.upperBound else {
            throw row.failure(.sku, .tooLong, "a SKU has at most \(ModelLimits.textLength.upperBound) characters")
        }
        guard skus.insert(sku).inserted else {
            throw row.failure(.sku, .duplicateSKU, "another variant of the product has the SKU “\(sku)”")
        }
        for choice in chosen {
            optionNames[choice.index] = choice.name
            if !optionValues[choice.index].contains(choice.value) { optionValues[choice.index].append(choice.value) }
        }
        guard row[.export].count <= Self.exportIdLength else {
            throw row.failure(.export, .tooLong, "the id of an export has at most \(Self.exportIdLength) characters")
        }
        variants.append(
            FeedVariant(
                sku: sku,
                options: Dictionary(chosen.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
                price: price,
                compareAtPrice: compareAtPrice,
                stock: stock,
                exportedStock: try readCount(.exportedQuantity, row, numbers),
                exportId: row[.export].isEmpty ? nil : row[.export],
                weightGrams: grams == 0 ? nil : grams))
    }

    /// The row's option values; the first row of a product holds the names.
    private mutating func readOptions(
        _ row: ShopifyRow
    ) throws(FeedRowError) -> [(index: Int, name: String, value: String)] {
        var chosen: [(index: Int, name: String, value: String)] = []
        for (index, columns) in ShopifyColumn.options.enumerated() {
            let (name, value) = (row[columns.name], row[columns.value])
            // Shopify's notation for a product without options.
            if value == "Default Title", (optionNames[index] ?? name) == "Title" || name.isEmpty { continue }
            if optionNames[index] == nil, !name.isEmpty {
                guard !optionNames.contains(name) else {
                    throw row.failure(columns.name, .invalid, "two options are called “\(name)”")
                }
                optionNames[index] = name
            }
            guard value.count <= ModelLimits.textLength.upperBound else {
                throw row.failure(
                    columns.value, .tooLong,
                    "an option's value has at most \(ModelLimits.textLength.upperBound) characters")
            }
            switch (optionNames[index], value.isEmpty) {
            case (let name?, false): chosen.append((index, name, value))
            case (let name?, true): throw row.failure(columns.value, .required, "the variant has no \(name)")
            case (nil, false):
                throw row.failure(
                    columns.name, .required,
                    "no row of the product up to here names the option with the value “\(value)”")
            case (nil, true): break
            }
        }
        return chosen
    }

    private func readCount(
        _ column: ShopifyColumn, _ row: ShopifyRow, _ numbers: FeedNumbers
    ) throws(FeedRowError) -> Int? {
        row[column].isEmpty ? nil : try numbers.count(row[column], field: row.title(column))
    }

    private mutating func readImage(_ row: ShopifyRow) throws(FeedRowError) {
        let url = row[.imageSource]
        guard let parts = URLComponents(string: url),
            url.hasPrefix("/assets/")
                || ["http", "https"].contains(parts.scheme?.lowercased()) && parts.host?.isEmpty == false
        else { throw row.failure(.imageSource, .invalid, "“\(url.prefix(80))” is not a web address") }
        guard !images.contains(where: { $0.url == url }) else { return }
        let position = row[.imagePosition].isEmpty ? nil : Int(row[.imagePosition])
        let alt = [row[.imageAlt], titleRow?[.title] ?? ""].first { !$0.isEmpty } ?? handle
        images.append((url, alt, position))
    }
}

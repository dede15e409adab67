import Foundation
import PouchDomain
import PouchEntities

/// The rows of one handle, which form a product once all are read.
struct ShopifyProduct {
    /// The maximum number of rows of one handle, which bounds the memory.
    static let maximumRows = 4096

    /// The handle as spelled in the file.
    let handle: String
    let firstLine: Int
    private var rows: [ShopifyRow] = []

    init(first row: ShopifyRow) {
        handle = row.handle
        firstLine = row.line
    }

    var rowCount: Int { rows.count }

    mutating func add(_ row: ShopifyRow) throws(FeedRowError) {
        guard rows.count < Self.maximumRows else {
            throw row.failure(nil, .tooManyRows, "a product can have at most \(Self.maximumRows) rows")
        }
        rows.append(row)
    }

    /// The errors and notes of the rows, and the product unless nothing of it remains.
    func records(in header: ShopifyHeader, _ currency: Currency, decimalSign: Character) -> [FeedRecord] {
        var draft = ShopifyDraft(rows, header, currency, decimalSign)
        draft.read()
        let record = draft.product.map(FeedRecord.product)
        return draft.reports.map(FeedRecord.bad) + [record].compactMap(\.self)
    }
}

/// A product under construction.
private struct ShopifyDraft {
    private let rows: [ShopifyRow]
    private let header: ShopifyHeader
    private let currency: Currency
    private let decimalSign: Character
    private let handle: String
    private var titleRow: ShopifyRow?
    /// The option names. Usually only the first row has them.
    private let optionNames: [String?]
    private var variants: [FeedVariant] = []
    private var images: [(url: String, alt: String, position: Int?)] = []
    private(set) var reports: [FeedRowError] = []

    init(_ rows: [ShopifyRow], _ header: ShopifyHeader, _ currency: Currency, _ decimalSign: Character) {
        self.rows = rows
        self.header = header
        self.currency = currency
        self.decimalSign = decimalSign
        handle = rows.first?.handle.handle ?? ""
        optionNames = ShopifyColumn.options.map { columns in
            rows.lazy.map { $0[columns.name] }.first { !$0.isEmpty }
        }
    }

    mutating func read() {
        do throws(FeedRowError) {
            if let row = rows.first(where: { !$0[.title].isEmpty }) { titleRow = try checkTitle(row) }
        } catch {
            reports.append(error)
        }
        for row in rows {
            // A bad variant does not drop the row's image, and vice versa.
            do throws(FeedRowError) {
                guard row.hasVariant || row.hasImage || !row[.title].isEmpty else {
                    throw row.failure(nil, .required, "the row has only a handle")
                }
                if row.hasVariant, !isRefused(row) { try readVariant(row) }
            } catch {
                reports.append(error)
            }
            do throws(FeedRowError) { if row.hasImage { try readImage(row) } } catch { reports.append(error) }
        }
        let isEmpty = variants.isEmpty && (titleRow != nil || images.isEmpty)
        if isEmpty, !reports.contains(where: { $0.line == rows.first?.line && !$0.isNote }), let row = rows.first {
            reports.append(row.failure(.price, .noVariants, "“\(row.handle)” has no variant that can be sold"))
        }
    }

    /// Whether the row has a refused title, and so belongs to no product.
    private func isRefused(_ row: ShopifyRow) -> Bool { titleRow == nil && !row[.title].isEmpty }

    /// The product; nil when nothing of it remains.
    var product: FeedProduct? {
        guard let first = rows.first, titleRow == nil ? !variants.isEmpty || !images.isEmpty : !variants.isEmpty else {
            return nil
        }
        return FeedProduct(
            line: first.line,
            handle: handle,
            feedHandle: header.isOwnExport ? nil : first.handle,
            name: titleRow?[.title],
            description: titleRow?.named(.body) { HTMLText.plain($0) },
            categoryName: titleRow?.named(.type) {
                $0.slug.isEmpty ? CatalogComparison.uncategorised : $0.singleLine
            },
            tags: titleRow?.named(.tags) { Self.tags($0) },
            options: variants.isEmpty
                ? nil
                : [ProductOption](
                    of: variants.map(\.options),
                    inOrderOf: optionNames.compactMap { $0.map { ProductOption(name: $0, values: []) } }),
            images: images.isEmpty ? titleRow?.named(.imageSource) { _ in [] } : productImages,
            variants: variants,
            status: titleRow.flatMap { ShopifyStatus($0).status })
    }

    /// The images by position; images without a position come last, in the order of the file.
    private var productImages: [ProductImage] {
        images.enumerated()
            .sorted { ($0.element.position ?? .max, $0.offset) < ($1.element.position ?? .max, $1.offset) }
            .map { ProductImage(url: $0.element.url, alt: $0.element.alt) }
    }

    private static func tags(_ text: String) -> [String] {
        var seen: Set<String> = []
        return text.split(separator: ",").map { String($0).singleLine }.filter {
            ModelLimits.textLength.contains($0.count) && seen.insert($0).inserted
        }
    }

    // MARK: Rows

    private mutating func checkTitle(_ row: ShopifyRow) throws(FeedRowError) -> ShopifyRow {
        let most = ModelLimits.productNameLength.upperBound
        guard row[.title].count <= most else {
            throw row.failure(.title, .tooLong, "a title can have at most \(most) characters")
        }
        guard row.raw(.body).count <= ModelLimits.descriptionLength.upperBound else {
            throw row.failure(
                .body, .tooLong,
                "a description can have at most \(ModelLimits.descriptionLength.upperBound) characters")
        }
        let text = ModelLimits.textLength.upperBound
        guard row[.type].count <= text else {
            throw row.failure(.type, .tooLong, "a type can have at most \(text) characters")
        }
        if row.raw(.tags).split(separator: ",").contains(where: { String($0).singleLine.count > text }) {
            reports.append(row.note(.tags, "tags of more than \(text) characters were left out"))
        }
        if let note = ShopifyStatus(row).note { reports.append(note) }
        return row
    }

    private static let exportIdLength = 64

    private mutating func readVariant(_ row: ShopifyRow) throws(FeedRowError) {
        let options = try options(of: row)
        let numbers = FeedNumbers(line: row.line, currency: currency, decimalSign: decimalSign)
        guard !row[.price].isEmpty else { throw row.failure(.price, .required, "a variant needs a price") }
        let price = try numbers.price(row[.price], field: row.title(.price))
        let before = try value(.compareAtPrice, row) { (text, field) throws(FeedRowError) in
            try numbers.compareAtPrice(text, price: price, field: field)
        }
        let stock = try value(.quantity, row, numbers.stock)
        let exported = try value(.exportedQuantity, row, numbers.stock)
        let grams = try value(.grams, row, numbers.weight)
        let sku = row[.sku].isEmpty ? ([handle] + options.map(\.value.slug)).joined(separator: "-") : row[.sku]
        guard sku.count <= ModelLimits.textLength.upperBound else {
            throw row.failure(.sku, .tooLong, "a SKU can have at most \(ModelLimits.textLength.upperBound) characters")
        }
        guard row[.export].count <= Self.exportIdLength else {
            throw row.failure(.export, .tooLong, "the id of an export has at most \(Self.exportIdLength) characters")
        }
        guard variants.count < ModelLimits.productVariants else {
            throw row.failure(.sku, .tooManyRows, "a product can have at most \(ModelLimits.productVariants) variants")
        }
        reports += [before?.note, stock?.note].compactMap(\.self)
        variants.append(
            FeedVariant(
                sku: sku, options: options.byKey { ($0.name, $0.value) }, price: price, compareAtPrice: before?.price,
                stock: stock?.units, exportedStock: exported?.units,
                exportId: row[.export].isEmpty ? nil : row[.export], weightGrams: grams ?? nil, line: row.line))
    }

    /// - Returns: nil for an empty cell.
    private func value<Value>(
        _ column: ShopifyColumn, _ row: ShopifyRow,
        _ read: (_ text: String, _ field: String) throws(FeedRowError) -> Value
    ) throws(FeedRowError) -> Value? {
        row[column].isEmpty ? nil : try read(row[column], row.title(column))
    }

    private func options(of row: ShopifyRow) throws(FeedRowError) -> [(name: String, value: String)] {
        var chosen: [(name: String, value: String)] = []
        let text = ModelLimits.textLength.upperBound
        for (index, columns) in ShopifyColumn.options.enumerated() {
            let (name, value) = (optionNames[index], row[columns.value])
            // Shopify's notation for a product without options.
            if value == "Default Title", (name ?? "Title") == "Title" { continue }
            guard max(value.count, name?.count ?? 0) <= text else {
                throw row.failure(columns.value, .tooLong, "options and values can have at most \(text) characters")
            }
            switch (name, value.isEmpty) {
            case (let name?, false):
                guard !chosen.contains(where: { $0.name == name }) else {
                    throw row.failure(columns.name, .invalid, "two options are called “\(name)”")
                }
                chosen.append((name, value))
            case (let name?, true): throw row.failure(columns.value, .required, "the variant has no \(name)")
            case (nil, false):
                throw row.failure(
                    columns.name, .required, "no row of the product names the option with the value “\(value)”")
            case (nil, true): break
            }
        }
        return chosen
    }

    private mutating func readImage(_ row: ShopifyRow) throws(FeedRowError) {
        let url = row[.imageSource]
        guard let parts = URLComponents(string: url), ModelLimits.urlLength.contains(url.utf8.count),
            url.hasPrefix("/assets/")
                || ["http", "https"].contains(parts.scheme?.lowercased()) && parts.host?.isEmpty == false
        else { throw row.failure(.imageSource, .invalid, "“\(url.prefix(80))” is not a web address") }
        guard !images.contains(where: { $0.url == url }) else { return }
        guard images.count < ModelLimits.productImages else {
            throw row.failure(
                .imageSource, .tooManyRows, "a product can have at most \(ModelLimits.productImages) pictures")
        }
        let position = row[.imagePosition].isEmpty ? nil : Int(row[.imagePosition])
        let alt = [row[.imageAlt], titleRow?[.title] ?? ""].first { !$0.isEmpty } ?? row.handle
        let most = ModelLimits.productNameLength.upperBound
        if alt.count > most { reports.append(row.note(.imageAlt, "the text was cut after \(most) characters")) }
        images.append((url, String(alt.prefix(most)).singleLine, position))
    }
}

/// Determines from a row's words whether its product is on sale. An unknown word puts nothing on sale.
private struct ShopifyStatus {
    private(set) var status: FeedStatus?
    private(set) var note: FeedRowError?

    init(_ row: ShopifyRow) {
        let (word, published) = (row[.status].lowercased(), row[.published].lowercased())
        let isPublished = ["true", "yes", "1", "wahr"].contains(published)
        let isKnown = isPublished || ["", "false", "no", "0", "falsch"].contains(published)
        switch word {
        case "archived": status = .archived
        case "draft": status = .notForSale
        case "", "active":
            status =
                isPublished || published.isEmpty && !word.isEmpty ? .forSale : published.isEmpty ? nil : .notForSale
            if !isKnown { note = Self.unknown(.published, row) }
        default:
            status = .notForSale
            note = Self.unknown(.status, row)
        }
    }

    private static func unknown(_ column: ShopifyColumn, _ row: ShopifyRow) -> FeedRowError {
        row.note(column, "“\(row[column].prefix(40))” is not a known value, so the product is not on sale")
    }
}

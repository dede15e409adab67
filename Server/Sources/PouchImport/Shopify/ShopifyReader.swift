import Foundation
import PouchEntities

/// Reads Shopify's product CSV. A product is complete when the next handle begins.
///
/// Rows of a handle that returns later in the file form another product record. Products that are not
/// published, drafts and archived ones keep their rows and say so (`FeedStatus`).
struct ShopifyReader: FeedReader {
    private var chunks: FileChunks
    private var tokenizer = CSVTokenizer()
    private var header: ShopifyHeader?
    private var product: ShopifyProduct?
    private var pending: ArraySlice<FeedRecord> = []
    private var rows = 0
    private var isAtEnd = false
    private let currency: Currency

    /// - Parameter chunkSize: the bytes read at a time, at least 1.
    /// - Throws: when the file cannot be opened.
    init(file: URL, currency: Currency, chunkSize: Int = FileChunks.defaultSize) throws(FeedError) {
        chunks = try FileChunks(file: file, size: chunkSize)
        self.currency = currency
    }

    var progress: FeedProgress {
        FeedProgress(bytesRead: chunks.bytesRead, totalBytes: chunks.totalBytes, rows: rows)
    }

    mutating func next() throws(FeedError) -> FeedRecord? {
        while pending.isEmpty, !isAtEnd {
            if let row = tokenizer.next() {
                try take(row)
            } else if let bytes = try chunks.next() {
                tokenizer.append(bytes)
            } else {
                tokenizer.finish()
                while let row = tokenizer.next() { try take(row) }
                try finish()
            }
        }
        return pending.popFirst()
    }

    private mutating func take(_ result: Result<CSVRow, FeedRowError>) throws(FeedError) {
        guard let header else {
            switch result {
            case .success(let row): header = try ShopifyHeader(row, file: chunks.name)
            case .failure(let error): throw .malformed(file: chunks.name, line: error.line, detail: error.detail)
            }
            return
        }
        rows += 1
        do throws(FeedRowError) {
            let row = try ShopifyRow(try result.get(), header: header)
            guard !row.handle.isEmpty else {
                throw row.failure(.handle, .required, "the row has no handle")
            }
            guard row.handle.count <= ModelLimits.textLength.upperBound else {
                throw row.failure(
                    .handle, .tooLong, "a handle has at most \(ModelLimits.textLength.upperBound) characters")
            }
            if product?.handle != row.handle {
                handOver()
                product = ShopifyProduct(first: row, currency: currency)
            }
            pending += product?.add(row).map(FeedRecord.bad) ?? []
        } catch {
            pending.append(.bad(error))
        }
    }

    private mutating func handOver() {
        if let record = product?.record() { pending.append(record) }
        product = nil
    }

    private mutating func finish() throws(FeedError) {
        guard header != nil else {
            throw .empty(chunks.name)
        }
        handOver()
        isAtEnd = true
    }
}

/// The columns of Shopify's product CSV that this shop uses, by their headers.
enum ShopifyColumn: String, CaseIterable {
    case handle = "Handle"
    case title = "Title"
    case body = "Body (HTML)"
    case type = "Type"
    case tags = "Tags"
    case published = "Published"
    case status = "Status"
    case option1Name = "Option1 Name"
    case option1Value = "Option1 Value"
    case option2Name = "Option2 Name"
    case option2Value = "Option2 Value"
    case option3Name = "Option3 Name"
    case option3Value = "Option3 Value"
    case sku = "Variant SKU"
    case grams = "Variant Grams"
    case quantity = "Variant Inventory Qty"
    case price = "Variant Price"
    case compareAtPrice = "Variant Compare At Price"
    case imageSource = "Image Src"
    case imagePosition = "Image Position"
    case imageAlt = "Image Alt Text"
    // The columns of this shop's exports.
    case exportedQuantity = "Variant Inventory Qty Exported"
    case export = "Export"

    /// The heading in Shopify's files since 2025, where it is another one; compared without case.
    private var newerTitle: String? {
        switch self {
        case .handle: "URL handle"
        case .body: "Description"
        case .published: "Published on online store"
        case .sku: "SKU"
        case .grams: "Weight value (grams)"
        case .quantity: "Inventory quantity"
        case .price: "Price"
        case .compareAtPrice: "Compare-at price"
        case .imageSource: "Product image URL"
        default: nil
        }
    }

    /// The headings of the column, the preferred one first.
    var titles: [String] { [rawValue, newerTitle].compactMap(\.self) }

    static let required: [Self] = [.handle, .title, .price]
    static let options: [(name: Self, value: Self)] = [
        (.option1Name, .option1Value), (.option2Name, .option2Value), (.option3Name, .option3Value),
    ]
}

/// The positions of the columns in one file, in any order and case.
struct ShopifyHeader {
    let width: Int
    private let indices: [ShopifyColumn: Int]
    private let cells: [String]

    /// - Throws: `FeedError.missingColumns`.
    init(_ row: CSVRow, file: String) throws(FeedError) {
        let titles = row.cells.map { $0.singleLine.lowercased() }
        var indices: [ShopifyColumn: Int] = [:]
        for column in ShopifyColumn.allCases {
            indices[column] = column.titles.lazy.compactMap { titles.firstIndex(of: $0.lowercased()) }.first
        }
        let missing = ShopifyColumn.required.filter { indices[$0] == nil }
        if row.cells.count == 1, row.cells[0].contains(";") {
            throw .malformed(
                file: file, line: row.line, detail: "the cells are separated by semicolons; save the file with commas")
        }
        guard missing.isEmpty else { throw .missingColumns(missing.map(\.rawValue), file: file) }
        self.indices = indices
        cells = row.cells
        width = titles.count
    }

    subscript(column: ShopifyColumn) -> Int? { indices[column] }

    /// The heading as the file spells it.
    func title(_ column: ShopifyColumn) -> String {
        indices[column].map { cells[$0].singleLine } ?? column.rawValue
    }
}

/// One row, with its cells by column.
struct ShopifyRow {
    let line: Int
    /// `[a-z0-9-]`; empty when the row has none.
    let handle: String
    private let cells: [String]
    private let header: ShopifyHeader

    /// Missing cells at the end are empty. More cells than headers are an error: the values would be in wrong columns.
    init(_ row: CSVRow, header: ShopifyHeader) throws(FeedRowError) {
        guard row.cells.dropFirst(header.width).allSatisfy({ $0.singleLine.isEmpty }) else {
            throw FeedRowError(
                line: row.line, code: .tooManyColumns,
                detail: "\(row.cells.count) cells under \(header.width) headers; is a quote missing?")
        }
        line = row.line
        cells = row.cells.map(SpreadsheetCell.text)
        self.header = header
        handle = header[.handle].flatMap { $0 < row.cells.count ? row.cells[$0].slug : nil } ?? ""
    }

    /// The trimmed text of the cell; empty when the file has no such column.
    subscript(column: ShopifyColumn) -> String { raw(column).singleLine }

    /// The text of the cell with its line breaks.
    func raw(_ column: ShopifyColumn) -> String {
        guard let index = header[column], index < cells.count else { return "" }
        return cells[index]
    }

    /// The value of a cell; nil when the file has no such column and so leaves the value unchanged.
    func named<Value>(_ column: ShopifyColumn, _ read: (String) -> Value) -> Value? {
        header[column] == nil ? nil : read(raw(column))
    }

    var hasVariant: Bool {
        let columns: [ShopifyColumn] = [
            .price, .sku, .option1Value, .option2Value, .option3Value, .quantity, .compareAtPrice,
        ]
        return columns.contains { !self[$0].isEmpty }
    }

    var hasImage: Bool { !self[.imageSource].isEmpty }

    func title(_ column: ShopifyColumn) -> String { header.title(column) }

    func failure(_ column: ShopifyColumn?, _ code: FeedRowError.Code, _ detail: String) -> FeedRowError {
        FeedRowError(line: line, field: column.map(header.title), code: code, detail: detail)
    }
}

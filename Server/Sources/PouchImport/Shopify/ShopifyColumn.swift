import Foundation
import PouchEntities

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

    /// The heading in Shopify's files since 2025, if it is different; compared without case.
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
    static let numbers: [Self] = [.price, .compareAtPrice, .grams, .quantity]
}

/// The positions of the columns in one file, in any order and case.
struct ShopifyHeader {
    /// The headings as spelled in the file.
    let titles: [String]
    private let indices: [ShopifyColumn: Int]

    init(_ row: CSVRow) {
        titles = row.cells.map(\.singleLine)
        let folded = titles.map { $0.lowercased() }
        var indices: [ShopifyColumn: Int] = [:]
        for column in ShopifyColumn.allCases {
            indices[column] = column.titles.lazy.compactMap { folded.firstIndex(of: $0.lowercased()) }.first
        }
        self.indices = indices
    }

    var width: Int { titles.count }
    /// The number of columns that the shop uses.
    var knownCount: Int { indices.count }
    var missing: [ShopifyColumn] { ShopifyColumn.required.filter { indices[$0] == nil } }
    /// The positions of the columns that the shop does not use.
    var unused: [Int] {
        let used = Set(indices.values)
        return titles.indices.filter { !used.contains($0) && !titles[$0].isEmpty }
    }

    subscript(column: ShopifyColumn) -> Int? { indices[column] }

    /// Whether a Pouch shop exported the file, with its own handles.
    var isOwnExport: Bool { indices[.export] != nil }

    /// The heading as spelled in the file.
    func title(_ column: ShopifyColumn) -> String { indices[column].map { titles[$0] } ?? column.rawValue }

    func cell(_ column: ShopifyColumn, of row: CSVRow) -> String {
        guard let index = indices[column], index < row.cells.count else { return "" }
        return SpreadsheetCell.text(row.cells[index])
    }

    /// The handle as spelled in the file, with its accents in one form.
    func handle(of row: CSVRow) -> String { cell(.handle, of: row).singleLine.precomposedStringWithCanonicalMapping }
}

/// One row, with its cells by column.
struct ShopifyRow {
    let line: Int
    /// The handle as spelled in the file; empty when the row has none.
    let handle: String
    private let cells: [ShopifyColumn: String]
    private let header: ShopifyHeader

    /// Missing cells at the end are empty. More cells than headers are an error, since values would be in the wrong
    /// columns.
    init(_ row: CSVRow, header: ShopifyHeader) throws(FeedRowError) {
        guard row.cells.dropFirst(header.width).allSatisfy({ $0.singleLine.isEmpty }) else {
            throw FeedRowError(
                line: row.line, code: .tooManyColumns,
                detail: "\(row.cells.count) cells under \(header.width) headers; is a quote missing?")
        }
        line = row.line
        var cells: [ShopifyColumn: String] = [:]
        for column in ShopifyColumn.allCases {
            let cell = header.cell(column, of: row)
            if !cell.isEmpty { cells[column] = cell }
        }
        self.cells = cells
        self.header = header
        handle = header.handle(of: row)
    }

    /// The trimmed text of the cell; empty when the file has no such column.
    subscript(column: ShopifyColumn) -> String { raw(column).singleLine }

    /// The text of the cell with its line breaks.
    func raw(_ column: ShopifyColumn) -> String { cells[column] ?? "" }

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

    func note(_ column: ShopifyColumn, _ detail: String) -> FeedRowError {
        FeedRowError(line: line, field: header.title(column), code: .changed, detail: detail, severity: .note)
    }
}

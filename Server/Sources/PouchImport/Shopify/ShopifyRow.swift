import PouchDomain
import PouchFeed

/// One row, by the names of its columns.
struct ShopifyRow {
    let line: Int
    /// `[a-z0-9-]`; empty when the row has none.
    let handle: String
    private let cells: [String]
    private let header: ShopifyHeader

    /// Cells that are missing at the end are empty.
    ///
    /// - Throws: when there are more than the header has, since then the values stand in wrong columns.
    init(_ row: CSVRow, header: ShopifyHeader) throws(FeedRowError) {
        guard row.cells.dropFirst(header.width).allSatisfy({ $0.singleLine.isEmpty }) else {
            throw FeedRowError(
                line: row.line, code: .tooManyColumns,
                detail: "\(row.cells.count) cells under \(header.width) headers; is a quote missing?")
        }
        line = row.line
        cells = row.cells
        self.header = header
        handle = header.index(of: .handle).flatMap { $0 < row.cells.count ? row.cells[$0].slug : nil } ?? ""
    }

    /// The cell's text without white space at its ends; empty where the file has no such column.
    subscript(column: ShopifyColumn) -> String { raw(column).singleLine }

    /// The cell's text as it stands, with its line breaks.
    func raw(_ column: ShopifyColumn) -> String {
        guard let index = header.index(of: column), index < cells.count else { return "" }
        return cells[index]
    }

    /// nil when the file has no such column, so that it says nothing of it.
    func named<Value>(_ column: ShopifyColumn, _ read: (String) -> Value) -> Value? {
        header.names(column) ? read(raw(column)) : nil
    }

    var hasVariant: Bool {
        let columns: [ShopifyColumn] = [
            .price, .sku, .option1Value, .option2Value, .option3Value, .quantity, .compareAtPrice,
        ]
        return columns.contains { !self[$0].isEmpty }
    }

    var hasImage: Bool { !self[.imageSource].isEmpty }

    func failure(_ column: ShopifyColumn?, _ code: FeedRowError.Code, _ detail: String) -> FeedRowError {
        FeedRowError(line: line, field: column?.rawValue, code: code, detail: detail)
    }
}

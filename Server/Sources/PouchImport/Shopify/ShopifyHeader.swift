import PouchDomain
import PouchFeed

/// Where the columns are in one file: in any order, with others between them, in any case of letters.
struct ShopifyHeader {
    let width: Int
    private let indices: [ShopifyColumn: Int]

    /// - Throws: `missingColumns`
    init(_ row: CSVRow, file: String) throws(FeedError) {
        let titles = row.cells.map { $0.singleLine.lowercased() }
        var indices: [ShopifyColumn: Int] = [:]
        for column in ShopifyColumn.allCases {
            indices[column] = titles.firstIndex(of: column.rawValue.lowercased())
        }
        let missing = ShopifyColumn.required.filter { indices[$0] == nil }
        guard missing.isEmpty else { throw .missingColumns(missing.map(\.rawValue), file: file) }
        self.indices = indices
        width = titles.count
    }

    func names(_ column: ShopifyColumn) -> Bool { indices[column] != nil }

    func index(of column: ShopifyColumn) -> Int? { indices[column] }
}

import PouchEntities

/// The columns of a file whose values the shop does not use, or does not use completely: one note for each.
struct ShopifyUnusedColumns {
    private struct Column {
        let index: Int
        let rule: Rule
        var count = 0
        var firstLine = 0
    }

    /// The values of a column that mean something that the shop does not do.
    private struct Rule {
        /// The values without a note, in lower case. Empty cells count only where a variant needs a value.
        var usual: Set<String> = []
        var concernsEmpty = false
        var detail = "the shop does not use this column"
    }

    private static let rules: [(titles: Set<String>, rule: Rule)] = [
        (
            ["variant inventory policy", "continue selling when out of stock"],
            Rule(usual: ["deny", "false"], detail: "the shop sells no more than it has in stock")
        ),
        (
            ["variant inventory tracker", "inventory tracker"],
            Rule(
                usual: ["shopify"], concernsEmpty: true,
                detail: "the shop tracks the stock of every variant, even if the file does not")
        ),
        (
            ["variant requires shipping", "requires shipping"],
            Rule(usual: ["true"], detail: "the shop ships every variant and charges for shipping")
        ),
        (["variant taxable", "charge tax"], Rule(usual: ["true"], detail: "the shop taxes every variant")),
        (["gift card"], Rule(usual: ["false"], detail: "the shop sells gift cards like other products")),
        (["variant fulfillment service", "fulfillment service"], Rule(usual: ["manual"])),
    ]
    /// Columns without a meaning on their own.
    private static let ignored: Set<String> = ["variant weight unit", "weight unit for display"]

    private let header: ShopifyHeader?
    private var columns: [Column] = []
    private var formatted = (count: 0, firstLine: 0)

    init() { header = nil }

    init(_ header: ShopifyHeader) {
        self.header = header
        columns = header.unused.compactMap { index in
            let title = header.titles[index].lowercased()
            guard !Self.ignored.contains(title) else { return nil }
            let isMarket = title.hasPrefix("included /")
            let rule = Self.rules.first { $0.titles.contains(title) }?.rule ?? Rule(usual: isMarket ? ["true"] : [])
            return Column(index: index, rule: rule)
        }
    }

    mutating func read(_ row: CSVRow, _ header: ShopifyHeader) {
        let hasVariant = !header.cell(.price, of: row).isEmpty
        for place in columns.indices {
            let (index, rule) = (columns[place].index, columns[place].rule)
            let cell = index < row.cells.count ? row.cells[index] : ""
            guard !cell.isEmpty || rule.concernsEmpty && hasVariant, !rule.usual.contains(cell.lowercased()) else {
                continue
            }
            if columns[place].count == 0 { columns[place].firstLine = row.line }
            columns[place].count += 1
        }
        if HTMLText.hasFormats(header.cell(.body, of: row)) {
            formatted = (formatted.count + 1, formatted.count == 0 ? row.line : formatted.firstLine)
        }
    }

    var notes: [FeedRowError] {
        guard let header else { return [] }
        var notes = columns.filter { $0.count > 0 }.map { column in
            note(column.firstLine, header.titles[column.index], .notUsed, column.rule.detail, column.count)
        }
        if formatted.count > 0 {
            let detail = "the shop has plain-text descriptions; formatting, pictures and links were removed"
            notes.append(note(formatted.firstLine, header.title(.body), .changed, detail, formatted.count))
        }
        return notes
    }

    private func note(
        _ line: Int, _ field: String, _ code: FeedRowError.Code, _ detail: String, _ count: Int
    ) -> FeedRowError {
        let rows = count == 1 ? "1 row" : "\(count) rows"
        return FeedRowError(line: line, field: field, code: code, detail: "\(detail) (\(rows))", severity: .note)
    }
}

import Foundation
import PouchEntities

/// Reads Shopify's product CSV. A product is complete with its last row, wherever its rows are in the file.
///
/// Products that are not published, drafts and archived products keep their rows and have that status (`FeedStatus`).
struct ShopifyReader: FeedReader {
    /// The maximum number of rows that wait for other rows of their product. Beyond it, later rows form another record
    /// of the product.
    private static let maxWaitingRows = 200_000

    private var chunks: FileChunks
    private let currency: Currency
    private var survey: ShopifySurvey?
    private var tokenizer = CSVTokenizer()
    private var decoder = TextDecoder(.utf8)
    private var header: ShopifyHeader?
    private var unused = ShopifyUnusedColumns()
    /// The products with unread rows, by handle.
    private var products: [String: ShopifyProduct] = [:]
    private var current = ""
    private var waitingRows = 0
    private var pending: ArraySlice<FeedRecord> = []
    private var rows = 0
    private var isAtEnd = false

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
        if survey == nil { try begin() }
        while pending.isEmpty, !isAtEnd {
            if let row = tokenizer.next() {
                try take(row)
            } else if let bytes = try chunks.next() {
                tokenizer.append(decoder.decode(bytes))
            } else {
                tokenizer.finish()
                while let row = tokenizer.next() { try take(row) }
                try finish()
            }
        }
        return pending.popFirst()
    }

    private mutating func begin() throws(FeedError) {
        let survey = try ShopifySurvey(chunks)
        try chunks.rewind()
        tokenizer = CSVTokenizer(delimiter: survey.delimiter)
        decoder = TextDecoder(survey.encoding)
        self.survey = survey
        guard survey.encoding == .windows1252 else { return }
        pending.append(
            .bad(
                FeedRowError(
                    line: 1, code: .changed,
                    detail: "the file is not UTF-8 and was read as Windows-1252; check accented letters",
                    severity: .note)))
    }

    private mutating func take(_ result: Result<CSVRow, FeedRowError>) throws(FeedError) {
        guard let header else {
            switch result {
            case .success(let row): try readHeader(row)
            case .failure(let error): throw .malformed(file: chunks.name, line: error.line, detail: error.detail)
            }
            return
        }
        rows += 1
        do throws(FeedRowError) {
            let cells = try result.get()
            let handle = header.handle(of: cells)
            defer { if survey?.lastRows[handle] == rows { handOver(handle) } }
            try add(ShopifyRow(cells, header: header))
            unused.read(cells, header)
        } catch {
            pending.append(.bad(error))
        }
    }

    private mutating func readHeader(_ row: CSVRow) throws(FeedError) {
        let found = ShopifyHeader(row)
        guard found.missing.isEmpty else {
            throw .missingColumns(found.missing.map(\.rawValue), file: chunks.name)
        }
        header = found
        unused = ShopifyUnusedColumns(found)
    }

    private mutating func add(_ row: ShopifyRow) throws(FeedRowError) {
        guard !row.handle.isEmpty else { throw row.failure(.handle, .required, "the row has no handle") }
        guard row.handle.count <= ModelLimits.textLength.upperBound else {
            throw row.failure(
                .handle, .tooLong, "a handle can have at most \(ModelLimits.textLength.upperBound) characters")
        }
        if current != row.handle {
            if survey?.lastRows[current] == nil || waitingRows > Self.maxWaitingRows { handOver(current) }
            current = row.handle
        }
        try products[row.handle, default: ShopifyProduct(first: row)].add(row)
        waitingRows += 1
    }

    private mutating func handOver(_ handle: String) {
        guard let product = products.removeValue(forKey: handle), let header else { return }
        waitingRows -= product.rowCount
        pending += product.records(in: header, currency, decimalSign: survey?.decimalSign ?? ".")
    }

    private mutating func finish() throws(FeedError) {
        guard header != nil else { throw .empty(chunks.name) }
        for product in products.values.sorted(by: { $0.firstLine < $1.firstLine }) { handOver(product.handle) }
        pending += unused.notes.map(FeedRecord.bad)
        isAtEnd = true
    }
}

import PouchEntities

/// The properties that need the whole file: its encoding, its cell separator, its decimal sign, and the last row of
/// each handle whose rows are not adjacent, for example after sorting by another column.
struct ShopifySurvey {
    private(set) var encoding = TextEncoding.utf8
    private(set) var delimiter: Character = ","
    private(set) var decimalSign: Character = "."
    /// The last row by handle, counted from 1 after the header.
    private(set) var lastRows: [String: Int] = [:]

    /// Reads the file twice, from its start.
    init(_ chunks: FileChunks) throws(FeedError) {
        var chunks = chunks
        var bytes = ByteSurvey()
        while let next = try chunks.next() { bytes.read(next) }
        encoding = bytes.encoding
        delimiter = try Self.delimiter(of: chunks, encoding)
        try readRows(chunks)
    }

    /// The separator with which the header has the most columns that the shop uses.
    private static func delimiter(of chunks: FileChunks, _ encoding: TextEncoding) throws(FeedError) -> Character {
        let candidates: [Character] = [",", ";", "\t"]
        var chunks = chunks
        try chunks.rewind()
        var (decoder, beginning) = (TextDecoder(encoding), [UInt8]())
        while true {
            let next = try chunks.next()
            beginning += next.map { decoder.decode($0) } ?? []
            var counts: [Int] = []
            for candidate in candidates {
                var tokenizer = CSVTokenizer(delimiter: candidate)
                tokenizer.append(beginning)
                if next == nil { tokenizer.finish() }
                guard case .success(let row)? = tokenizer.next() else { break }
                counts.append(ShopifyHeader(row).knownCount)
            }
            if next == nil || counts.count == candidates.count || beginning.count > CSVTokenizer.maximumRecordBytes {
                let best = zip(candidates, counts).max { $0.1 < $1.1 }
                return best.map { $0.1 > (counts.first ?? 0) ? $0.0 : "," } ?? ","
            }
        }
    }

    private mutating func readRows(_ chunks: FileChunks) throws(FeedError) {
        var chunks = chunks
        try chunks.rewind()
        var (tokenizer, decoder) = (CSVTokenizer(delimiter: delimiter), TextDecoder(encoding))
        var header: ShopifyHeader?
        var (signs, row, latest) = (DecimalSurvey(), 0, "")
        /// The last row of each handle, and the handles that reappeared.
        var (rows, returned): ([String: Int], Set<String>) = ([:], [])
        func read(_ result: Result<CSVRow, FeedRowError>) {
            guard let known = header else {
                header = (try? result.get()).map(ShopifyHeader.init)
                return
            }
            row += 1
            guard let cells = try? result.get() else { return }
            let handle = known.handle(of: cells)
            if handle != latest, rows[handle] != nil { returned.insert(handle) }
            (rows[handle], latest) = (row, handle)
            for column in ShopifyColumn.numbers {
                signs.read(known.cell(column, of: cells).singleLine, line: cells.line)
            }
        }
        while let bytes = try chunks.next() {
            tokenizer.append(decoder.decode(bytes))
            while let result = tokenizer.next() { read(result) }
        }
        tokenizer.finish()
        while let result = tokenizer.next() { read(result) }
        lastRows = rows.filter { returned.contains($0.key) }
        decimalSign = try signs.sign(file: chunks.name)
    }
}

/// Finds the decimal sign of a file's numbers.
private struct DecimalSurvey {
    private var known: Set<Character> = []
    private var unclear: [Character: (line: Int, text: String)] = [:]

    mutating func read(_ text: String, line: Int) {
        guard !text.isEmpty else { return }
        switch FeedDecimal(text)?.decimalSign {
        case .known(let sign)?: known.insert(sign)
        case .unclear(let sign)?: if unclear[sign] == nil { unclear[sign] = (line, text) }
        case nil, .whole?: break
        }
    }

    /// - Throws: when a number is ambiguous.
    func sign(file: String) throws(FeedError) -> Character {
        if known.count == 1, let sign = known.first { return sign }
        // Without other numbers, a point is Shopify's, which writes no thousands separators.
        guard let (line, text) = unclear[","] ?? (known.isEmpty ? nil : unclear["."]) else { return "." }
        throw .malformed(
            file: file, line: line,
            detail:
                "“\(text.prefix(40))” is ambiguous; use a decimal point and no thousands separators"
        )
    }
}

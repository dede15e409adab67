/// Splits the bytes of a CSV file (RFC 4180) in UTF-8 into rows, chunk by chunk.
///
/// SwiftCSV needs the whole text in memory and stops at the first broken row. Here, the longest record bounds the
/// memory, and reading continues with the next physical line after a row with broken quotes. Beyond the RFC, lines may
/// end in CR or LF alone, another character may separate cells, and a quote inside an unquoted cell is an ordinary
/// character.
struct CSVTokenizer {
    static let maximumRecordBytes = 1 << 20

    private enum Byte {
        static let quote = UInt8(ascii: "\"")
        static let lineFeed = UInt8(ascii: "\n")
        static let carriageReturn = UInt8(ascii: "\r")
    }

    private enum CellState {
        case start, unquoted, quoted, afterQuote
    }

    private enum Scan {
        case incomplete
        /// The end of the record and the number of its lines.
        case record(cells: [[UInt8]], end: Int, lines: Int)
        /// The end of the part that was read, and its number of line breaks.
        case broken(FeedRowError.Code, String, end: Int, lines: Int)
    }

    private let delimiter: UInt8
    private var buffer: [UInt8] = []
    private var position = 0
    private var line = 1
    private var ended = false
    private var isSkippingLine = false
    /// The number of bytes needed for the next attempt at an incomplete record; doubled each time, so that a long
    /// record is not read again with every chunk.
    private var bytesToWaitFor = 0
    /// The number of bytes that may be read again. After broken quotes, the text that they seemed to enclose is read
    /// again; this limits the cost of a file full of broken quotes. Beyond the limit, that text is dropped.
    private var bytesToReread = 32 * Self.maximumRecordBytes

    /// - Parameter delimiter: the character between cells, in ASCII.
    init(delimiter: Character = ",") {
        self.delimiter = delimiter.asciiValue ?? UInt8(ascii: ",")
    }

    /// Adds the next bytes of the file, once `next` returns nil.
    mutating func append(_ bytes: [UInt8]) {
        buffer.removeFirst(position)
        position = 0
        buffer += bytes
    }

    /// Ends the file, so that the last row needs no line break.
    mutating func finish() {
        ended = true
    }

    /// The next row or its error; nil when more bytes are needed. Empty lines are skipped.
    mutating func next() -> Result<CSVRow, FeedRowError>? {
        while position < buffer.count, ended || isSkippingLine || buffer.count - position >= bytesToWaitFor {
            guard !isSkippingLine || skipLine() else { return nil }
            let begin = line
            bytesToWaitFor = 0
            switch scan() {
            case .incomplete:
                bytesToWaitFor = 2 * (buffer.count - position)
                return nil
            case .record(let cells, let end, let lines):
                position = end
                line += lines
                if cells == [[]] { continue }
                return Self.row(cells, line: begin)
            case .broken(let code, let detail, let end, let lines):
                bytesToReread -= end - position
                if bytesToReread < 0 {
                    position = end
                    line += lines
                }
                isSkippingLine = true
                return .failure(FeedRowError(line: begin, code: code, detail: detail))
            }
        }
        return nil
    }

    private static func row(_ cells: [[UInt8]], line: Int) -> Result<CSVRow, FeedRowError> {
        var texts: [String] = []
        texts.reserveCapacity(cells.count)
        for cell in cells {
            guard let text = String(validating: cell, as: UTF8.self) else {
                let detail = "cell \(texts.count + 1) is not UTF-8 text"
                return .failure(FeedRowError(line: line, code: .malformed, detail: detail))
            }
            texts.append(text)
        }
        return .success(CSVRow(line: line, cells: texts))
    }

    /// - Returns: whether the end of the line is in the buffer.
    private mutating func skipLine() -> Bool {
        while position < buffer.count {
            let byte = buffer[position]
            if byte == Byte.lineFeed || byte == Byte.carriageReturn {
                guard let end = endOfLineBreak(at: position) else { return false }
                position = end
                line += 1
                isSkippingLine = false
                return true
            }
            position += 1
        }
        return false
    }

    /// - Returns: nil when the bytes end after a CR, since an LF may follow.
    private func endOfLineBreak(at index: Int) -> Int? {
        guard buffer[index] == Byte.carriageReturn else { return index + 1 }
        guard index + 1 < buffer.count else { return ended ? index + 1 : nil }
        return buffer[index + 1] == Byte.lineFeed ? index + 2 : index + 1
    }

    private func scan() -> Scan {
        var cells: [[UInt8]] = []
        var cell: [UInt8] = []
        var state = CellState.start
        var lines = 0
        var index = position
        while index < buffer.count {
            let byte = buffer[index]
            guard index - position < Self.maximumRecordBytes else {
                return state == .quoted
                    ? .broken(.unterminatedQuote, "a quote is not closed within 1 MiB", end: index, lines: lines)
                    : .broken(.tooLong, "the row is longer than 1 MiB", end: index, lines: lines)
            }
            switch (state, byte) {
            case (.start, Byte.quote):
                state = .quoted
            case (.quoted, Byte.quote):
                state = .afterQuote
            case (.afterQuote, Byte.quote):
                cell.append(byte)
                state = .quoted
            case (.quoted, _):
                cell.append(byte)
                let isFirstHalf =
                    byte == Byte.carriageReturn && index + 1 < buffer.count
                    && buffer[index + 1] == Byte.lineFeed
                if byte == Byte.lineFeed || byte == Byte.carriageReturn, !isFirstHalf { lines += 1 }
            case (_, delimiter):
                cells.append(cell)
                cell = []
                state = .start
            case (_, Byte.lineFeed), (_, Byte.carriageReturn):
                guard let end = endOfLineBreak(at: index) else { return .incomplete }
                return .record(cells: cells + [cell], end: end, lines: lines + 1)
            case (.afterQuote, _):
                return .broken(.malformed, "text follows a closing quote", end: index, lines: lines)
            case (.start, _), (.unquoted, _):
                cell.append(byte)
                state = .unquoted
            }
            index += 1
        }
        guard ended else { return .incomplete }
        guard state != .quoted else {
            return .broken(.unterminatedQuote, "a quote is not closed before the end", end: index, lines: lines)
        }
        return .record(cells: cells + [cell], end: index, lines: lines)
    }
}

/// One record of a CSV file.
struct CSVRow: Equatable {
    /// The physical line on which the record begins, from 1.
    let line: Int
    let cells: [String]
}

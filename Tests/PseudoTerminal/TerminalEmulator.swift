import Foundation

/// The state of a terminal after the bytes that were sent to it. It supports the part of ECMA-48 and of xterm's modes
/// that the programs here use; everything else is collected in `unknown`.
public struct TerminalEmulator: Sendable {
    public struct Cell: Sendable, Equatable {
        /// Empty if the wide character to the left extends into this cell.
        public var text = " "
        /// The parameters of "select graphic rendition".
        public var style: [Int] = []
    }

    /// One of the two screens.
    private struct Page {
        var cells: [[Cell]]
        var column = 0
        var row = 0

        init(columns: Int, rows: Int) {
            cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
        }
    }

    public private(set) var columns: Int
    public private(set) var rows: Int
    /// Whether the alternate screen is shown, and not the one with the shell.
    public private(set) var isAlternate = false
    public private(set) var isCursorVisible = true
    public private(set) var isBracketingPastes = false
    public private(set) var isWrapping = true
    /// Unsupported sequences.
    public private(set) var unknown: [String] = []
    private var main: Page
    private var alternate: Page
    private var style: [Int] = []
    private var pending: [UInt8] = []

    public init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        main = Page(columns: columns, rows: rows)
        alternate = main
    }

    /// The visible text, row by row, without trailing spaces.
    public var lines: [String] {
        page.cells.map { row in
            String(row.map(\.text).joined().reversed().drop { $0 == " " }.reversed())
        }
    }

    public var text: String { lines.joined(separator: "\n") }

    public func cell(_ column: Int, _ row: Int) -> Cell { page.cells[row][column] }

    /// The style of the first occurrence of a text; nil if there is none.
    public func style(of text: String) -> [Int]? {
        for row in page.cells {
            for start in row.indices where row[start...].map(\.text).joined().hasPrefix(text) {
                return row[start].style
            }
        }
        return nil
    }

    public mutating func resize(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        for path in [\Self.main, \Self.alternate] {
            var resized = Page(columns: columns, rows: rows)
            for row in 0..<min(rows, self[keyPath: path].cells.count) {
                for column in 0..<min(columns, self[keyPath: path].cells[row].count) {
                    resized.cells[row][column] = self[keyPath: path].cells[row][column]
                }
            }
            resized.column = min(self[keyPath: path].column, columns - 1)
            resized.row = min(self[keyPath: path].row, rows - 1)
            self[keyPath: path] = resized
        }
    }

    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        while let count = step() { pending.removeFirst(count) }
    }

    private var page: Page {
        get { isAlternate ? alternate : main }
        set { if isAlternate { alternate = newValue } else { main = newValue } }
    }

    /// - Returns: the number of bytes that were processed; nil if a sequence is incomplete.
    private mutating func step() -> Int? {
        guard let first = pending.first else { return nil }
        switch first {
        case 0x1B: return escape()
        case 0x0D: page.column = 0
        case 0x0A: lineFeed()
        case 0x08: page.column = max(0, page.column - 1)
        case 0x09: page.column = min(columns - 1, (page.column / 8 + 1) * 8)
        case 0x07, 0x18: break
        case 0x00..<0x20, 0x7F: unknown.append("control \(first)")
        default: return scalar(first)
        }
        return 1
    }

    private mutating func escape() -> Int? {
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") else {
            if pending[1] != 0x18 { unknown.append("escape \(pending[1])") }
            return 2
        }
        guard let end = pending.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return nil }
        let parameters = String(decoding: pending[2..<end], as: UTF8.self)
        // CAN cancels the sequence.
        if pending[end] != 0x18 { control(parameters, Character(Unicode.Scalar(pending[end]))) }
        return end + 1
    }

    private mutating func control(_ parameters: String, _ final: Character) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch (final, parameters) {
        case ("H", _):
            page.row = min(rows, max(1, numbers.first ?? 1)) - 1
            page.column = min(columns, max(1, numbers.count > 1 ? numbers[1] : 1)) - 1
        case ("J", "2"): page.cells = Page(columns: columns, rows: rows).cells
        case ("K", ""), ("K", "0"):
            for column in page.column..<columns { page.cells[page.row][column] = Cell() }
        case ("m", _): style = numbers.reduce(style) { $1 == 0 ? [] : $0 + [$1] }
        case ("h", _), ("l", _): mode(parameters, final == "h")
        default: unknown.append("ESC[\(parameters)\(final)")
        }
    }

    private mutating func mode(_ mode: String, _ isOn: Bool) {
        switch mode {
        case "?1049":
            if isOn { alternate = Page(columns: columns, rows: rows) }
            isAlternate = isOn
        case "?25": isCursorVisible = isOn
        case "?7": isWrapping = isOn
        case "?2004": isBracketingPastes = isOn
        default: unknown.append("mode \(mode)")
        }
    }

    private mutating func scalar(_ first: UInt8) -> Int? {
        let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard pending.count >= count else { return nil }
        for scalar in String(decoding: pending[..<count], as: UTF8.self).unicodeScalars { put(scalar) }
        return count
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = Self.width(scalar)
        guard width > 0 else {
            let column = (page.column - 1..<page.column).first { $0 >= 0 } ?? 0
            let lead = page.cells[page.row][column].text.isEmpty ? max(0, column - 1) : column
            page.cells[page.row][lead].text.unicodeScalars.append(scalar)
            return
        }
        if page.column + width > columns {
            guard isWrapping else { return }
            page.column = 0
            lineFeed()
        }
        erase(page.column, width)
        page.cells[page.row][page.column] = Cell(text: String(Character(scalar)), style: style)
        if width == 2 { page.cells[page.row][page.column + 1] = Cell(text: "", style: style) }
        page.column += width
    }

    /// Replaces the halves of wide characters at both ends by spaces.
    private mutating func erase(_ column: Int, _ width: Int) {
        if page.cells[page.row][column].text.isEmpty { page.cells[page.row][column - 1].text = " " }
        let next = column + width
        if next < columns, page.cells[page.row][next].text.isEmpty { page.cells[page.row][next].text = " " }
    }

    private mutating func lineFeed() {
        guard page.row == rows - 1 else { return page.row += 1 }
        page.cells.removeFirst()
        page.cells.append(Array(repeating: Cell(), count: columns))
    }

    /// The width according to the C library, so that the program's own table is not tested against itself.
    private static func width(_ scalar: Unicode.Scalar) -> Int {
        Int(wcwidth?(wchar_t(scalar.value)) ?? 1)
    }

    /// Looked up by name, since Swift's module for the C library does not contain it. It knows characters beyond ASCII
    /// only in a locale that has them.
    private static let wcwidth: (@convention(c) (wchar_t) -> Int32)? = {
        setlocale(LC_CTYPE, "C.UTF-8")
        return dlsym(nil, "wcwidth").map { unsafeBitCast($0, to: (@convention(c) (wchar_t) -> Int32).self) }
    }()
}

import Foundation

/// What a terminal shows after the bytes it was sent. It knows as much of ECMA-48 and xterm's own modes as programs here
/// use; everything else is kept in `unknown`.
public struct TerminalEmulator: Sendable {
    public struct Cell: Sendable, Equatable {
        /// Empty where a wide character on the left takes this place too.
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
    /// Whether programs' own screen is shown, and not the one with the shell.
    public private(set) var isAlternate = false
    public private(set) var isCursorVisible = true
    public private(set) var isBracketingPastes = false
    public private(set) var isWrapping = true
    /// Sequences that this does not know.
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

    /// Row by row, without spaces at the ends.
    public var lines: [String] {
        page.cells.map { row in
            String(row.map(\.text).joined().reversed().drop { $0 == " " }.reversed())
        }
    }

    public var text: String { lines.joined(separator: "\n") }

    public func cell(_ column: Int, _ row: Int) -> Cell { page.cells[row][column] }

    /// How the text looks where it first stands; nil where it does not.
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

    /// - Returns: how many bytes were understood; nil when more have to come.
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
        // CAN ends what was begun.
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

    /// Half of a wide character cannot stay.
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

    /// The C library's own answer, so that the terminal is not asked what the program under test believes.
    private static func width(_ scalar: Unicode.Scalar) -> Int {
        Int(wcwidth?(wchar_t(scalar.value)) ?? 1)
    }

    /// Looked up by its name, since Swift's module for the C library leaves it out. It knows characters beyond ASCII only
    /// under a locale that has them.
    private static let wcwidth: (@convention(c) (wchar_t) -> Int32)? = {
        setlocale(LC_CTYPE, "C.UTF-8")
        return dlsym(nil, "wcwidth").map { unsafeBitCast($0, to: (@convention(c) (wchar_t) -> Int32).self) }
    }()
}

/// Turns canvases into the bytes for a terminal. Only the differences from the previous canvas are sent.
public struct Painter: Sendable {
    private let hasColors: Bool
    private var shown: Canvas?

    /// - Parameter hasColors: false sends only attributes, for NO_COLOR.
    public init(hasColors: Bool) {
        self.hasColors = hasColors
    }

    /// Forgets the current content of the terminal, so that the next canvas is painted completely.
    public mutating func forget() {
        shown = nil
    }

    /// - Returns: no bytes if the terminal already shows the canvas.
    public mutating func paint(_ canvas: Canvas) -> [UInt8] {
        defer { shown = canvas }
        var output = Output(hasColors: hasColors)
        let before: Canvas
        if let shown, shown.size == canvas.size {
            before = shown
        } else {
            output.clear()
            before = Canvas(canvas.size)
        }
        for row in 0..<canvas.size.rows {
            for column in 0..<canvas.size.columns {
                let cell = canvas[column, row]
                if cell != before[column, row], !cell.isCovered { output.put(cell, column, row) }
            }
        }
        return output.end()
    }
}

private struct Output {
    let hasColors: Bool
    var bytes: [UInt8] = []
    var style = Style.plain
    /// The position of the next character; nil if uncertain.
    var cursor: (column: Int, row: Int)?

    mutating func clear() {
        append("\u{1B}[0m\u{1B}[H\u{1B}[2J")
        cursor = (0, 0)
    }

    mutating func put(_ cell: Cell, _ column: Int, _ row: Int) {
        if cursor.map({ $0 != (column, row) }) ?? true { append("\u{1B}[\(row + 1);\(column + 1)H") }
        if cell.style != style {
            append(cell.style.selection(hasColors: hasColors))
            style = cell.style
        }
        append(String(cell.character))
        // Terminals disagree on the width of characters with several scalars.
        let isSimple = cell.character.unicodeScalars.count == 1
        cursor = isSimple ? (column + cell.character.columns, row) : nil
    }

    mutating func end() -> [UInt8] {
        if style != .plain { append("\u{1B}[0m") }
        return bytes
    }

    private mutating func append(_ text: String) {
        bytes += text.utf8
    }
}

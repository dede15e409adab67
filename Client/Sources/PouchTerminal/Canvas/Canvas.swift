/// What a terminal is to show: a value that blocks draw on, and that tests read as lines of text.
public struct Canvas: Sendable, Equatable {
    public let size: TerminalSize
    /// Where drawing has an effect; never larger than the canvas.
    public private(set) var clip: Area
    private(set) var cells: [Cell]

    public init(_ size: TerminalSize) {
        let size = TerminalSize(columns: max(0, size.columns), rows: max(0, size.rows))
        self.size = size
        clip = Area(size)
        cells = Array(repeating: Cell(), count: size.columns * size.rows)
    }

    public var area: Area { Area(size) }

    /// A place that exists.
    public subscript(x: Int, y: Int) -> Cell { cells[y * size.columns + x] }

    /// Writes in one row from there to the right, and leaves out what is clipped.
    ///
    /// - Parameter columns: how much room there is; what is longer ends in an ellipsis.
    public mutating func write(_ text: StyledText, x: Int, y: Int, columns: Int? = nil) {
        guard (clip.y..<clip.y + clip.height).contains(y) else { return }
        var x = x
        for span in (columns.map(text.truncated) ?? text).spans {
            for character in span.text.glyphs {
                let width = character.columns
                put(character, width, span.style, x, y)
                x += width
            }
        }
    }

    public mutating func fill(_ area: Area, _ style: Style = .plain, with character: Character = " ") {
        let visible = area.intersection(clip)
        guard !visible.isEmpty, character.columns == 1 else { return }
        for y in visible.y..<visible.y + visible.height {
            for x in visible.x..<visible.x + visible.width { set(Cell(character, style), x, y) }
        }
    }

    /// Lets the closure draw within the area only.
    public mutating func clipped(to area: Area, _ draw: (inout Canvas) -> Void) {
        let outer = clip
        clip = clip.intersection(area)
        draw(&self)
        clip = outer
    }

    /// What one sees, row by row, without spaces at the ends.
    public var lines: [String] {
        (0..<size.rows).map { row in
            let characters = cells[row * size.columns..<(row + 1) * size.columns].lazy
                .filter { !$0.isCovered }.map(\.character)
            return String(String(characters).reversed().drop { $0 == " " }.reversed())
        }
    }

    /// A wide character of which only half would be seen is a space.
    private mutating func put(_ character: Character, _ width: Int, _ style: Style, _ x: Int, _ y: Int) {
        let visible = clip.x..<clip.x + clip.width
        switch width {
        case 1: if visible.contains(x) { set(Cell(character, style), x, y) }
        case 2:
            let halves = [x, x + 1].filter(visible.contains)
            if halves.count == 2 {
                set(Cell(character, style), x, y)
                set(Cell(" ", style, isCovered: true), x + 1, y)
            } else {
                for half in halves { set(Cell(" ", style), half, y) }
            }
        default: break
        }
    }

    /// What is left of a wide character that this covers one half of becomes a space.
    private mutating func set(_ cell: Cell, _ x: Int, _ y: Int) {
        let index = y * size.columns + x
        if cells[index].isCovered, !cell.isCovered { cells[index - 1] = Cell(" ", cells[index - 1].style) }
        if x + 1 < size.columns, cells[index + 1].isCovered { cells[index + 1] = Cell(" ", cells[index + 1].style) }
        cells[index] = cell
    }
}

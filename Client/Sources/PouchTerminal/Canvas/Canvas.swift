/// The picture for a terminal: a value that blocks draw on, and that tests read as lines of text.
///
///     var canvas = Canvas(TerminalSize(columns: 80, rows: 24))
///     Paragraph("Two metres of it, warm.").draw(on: &canvas, in: canvas.area)
///     canvas.lines[0] == "Two metres of it, warm."
public struct Canvas: Sendable, Equatable {
    public let size: TerminalSize
    /// The area that drawing is limited to, within the canvas.
    private var clip: Area
    private var cells: [Cell]

    public init(_ size: TerminalSize) {
        let size = TerminalSize(columns: max(0, size.columns), rows: max(0, size.rows))
        self.size = size
        clip = Area(size)
        cells = Array(repeating: Cell(), count: size.columns * size.rows)
    }

    public var area: Area { Area(size) }

    /// - Precondition: the position lies on the canvas.
    public subscript(x: Int, y: Int) -> Cell { cells[y * size.columns + x] }

    /// Writes in one row, from a position to the right. Parts outside the clip are omitted.
    ///
    /// - Parameter columns: the room for the text; a longer text ends in an ellipsis.
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

    /// Fills an area with spaces.
    public mutating func fill(_ area: Area, _ style: Style = .plain) {
        let visible = area.intersection(clip)
        for y in visible.y..<visible.y + visible.height {
            for x in visible.x..<visible.x + visible.width { set(Cell(" ", style), x, y) }
        }
    }

    /// Limits what the closure draws to an area.
    public mutating func clipped(to area: Area, _ draw: (inout Canvas) -> Void) {
        let outer = clip
        clip = clip.intersection(area)
        draw(&self)
        clip = outer
    }

    /// The visible text, row by row, without trailing spaces.
    public var lines: [String] {
        (0..<size.rows).map { row in
            let start = row * size.columns
            var end = start + size.columns
            while end > start, cells[end - 1].character == " " { end -= 1 }
            var line = ""
            for index in start..<end where !cells[index].isCovered { line.append(cells[index].character) }
            return line
        }
    }

    /// Puts a character into one or two cells. A wide character becomes a space if only half of it is visible.
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

    /// Sets a cell. If that covers one half of a wide character, the other half becomes a space.
    private mutating func set(_ cell: Cell, _ x: Int, _ y: Int) {
        let index = y * size.columns + x
        if cells[index].isCovered, !cell.isCovered { cells[index - 1] = Cell(" ", cells[index - 1].style) }
        if x + 1 < size.columns, cells[index + 1].isCovered { cells[index + 1] = Cell(" ", cells[index + 1].style) }
        cells[index] = cell
    }
}

/// One position of a canvas.
public struct Cell: Sendable, Hashable {
    /// A character of one or two columns that is `harmless`. One of two columns covers the cell to its right.
    public let character: Character
    public let style: Style
    /// Whether the wide character to the left extends into this cell.
    let isCovered: Bool

    init(_ character: Character = " ", _ style: Style = .plain, isCovered: Bool = false) {
        self.character = character
        self.style = style
        self.isCovered = isCovered
    }
}

/// A size in cells.
public struct TerminalSize: Sendable, Equatable {
    /// The minimum size for every screen of the shop and of Koober.
    public static let smallest = TerminalSize(columns: 48, rows: 14)

    public let columns: Int
    public let rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A rectangle of cells. Columns and rows count from 0 at the top left. It may lie outside the canvas.
public struct Area: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = max(0, width)
        self.height = max(0, height)
    }

    public init(_ size: TerminalSize) {
        self.init(x: 0, y: 0, width: size.columns, height: size.rows)
    }

    /// The area without some columns on both sides, and some rows at the top and the bottom.
    func inset(x columns: Int, y rows: Int) -> Area {
        Area(x: x + columns, y: y + rows, width: width - 2 * columns, height: height - 2 * rows)
    }

    /// The topmost rows, and the rest.
    public func split(top rows: Int) -> (Area, Area) {
        let rows = min(max(0, rows), height)
        return (
            Area(x: x, y: y, width: width, height: rows),
            Area(x: x, y: y + rows, width: width, height: height - rows)
        )
    }

    /// The leftmost columns, and the rest.
    public func split(left columns: Int) -> (Area, Area) {
        let columns = min(max(0, columns), width)
        return (
            Area(x: x, y: y, width: columns, height: height),
            Area(x: x + columns, y: y, width: width - columns, height: height)
        )
    }

    func intersection(_ other: Area) -> Area {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return Area(
            x: left, y: top, width: min(x + width, other.x + other.width) - left,
            height: min(y + height, other.y + other.height) - top)
    }
}

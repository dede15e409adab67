/// A part of a screen, whose height follows from its width.
public protocol Block {
    func height(width: Int) -> Int

    /// Draws the block into an area, whose height may differ from `height(width:)`; the canvas clips the rest.
    func draw(on canvas: inout Canvas, in area: Area)
}

extension Block {
    /// The visible text of the block at a width, row by row.
    public func lines(width: Int) -> [String] {
        var canvas = Canvas(TerminalSize(columns: width, rows: height(width: width)))
        draw(on: &canvas, in: canvas.area)
        return canvas.lines
    }
}

/// One row: text on the left and, optionally, on the right. If both do not fit, the left one is cut off.
public struct Row: Block {
    private let leading: StyledText
    private let trailing: StyledText
    private let style: Style

    /// - Parameter style: applies to the whole row, from edge to edge.
    public init(_ leading: StyledText, _ trailing: StyledText = "", style: Style = .plain) {
        self.leading = leading.adding(style)
        self.trailing = trailing.adding(style)
        self.style = style
    }

    public func height(width: Int) -> Int { 1 }

    public func draw(on canvas: inout Canvas, in area: Area) {
        let (row, _) = area.split(top: 1)
        if style != .plain { canvas.fill(row, style) }
        let right = min(trailing.columns, row.width)
        canvas.write(trailing, x: row.x + row.width - right, y: row.y, columns: right)
        let room = trailing.isEmpty ? row.width : row.width - right - 1
        canvas.write(leading, x: row.x, y: row.y, columns: max(0, room))
    }
}

/// Text in as many lines as it needs.
public struct Paragraph: Block {
    private let paragraphs: [StyledText]

    public init(_ text: StyledText) {
        paragraphs = [text]
    }

    /// Keeps the line breaks of the text.
    public init(_ text: String, _ style: Style = .plain) {
        paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            StyledText(String($0), style)
        }
    }

    public func height(width: Int) -> Int { lines(width).count }

    public func draw(on canvas: inout Canvas, in area: Area) { canvas.write(lines(area.width), in: area) }

    private func lines(_ width: Int) -> [StyledText] { paragraphs.flatMap { $0.wrapped(to: width) } }
}

/// A key and its effect, for the last rows of a screen.
public typealias KeyHint = (key: String, meaning: String)

/// The last rows of a screen, with the effects of the keys.
public struct KeyHints: Block {
    /// The maximum number of rows. Further hints are omitted.
    private static let maxRows = 3

    private let hints: [StyledText]

    public init(_ hints: [KeyHint]) {
        self.hints = hints.map { StyledText($0.key, .bold) + StyledText(" \($0.meaning)", .dim) }
    }

    public func height(width: Int) -> Int { min(Self.maxRows, lines(width).count) }

    public func draw(on canvas: inout Canvas, in area: Area) { canvas.write(lines(area.width), in: area) }

    private func lines(_ width: Int) -> [StyledText] { StyledText.lines(of: hints, gap: 2, width: width) }
}

/// Blocks below each other.
public struct Stack: Block {
    private let blocks: [any Block]

    public init(_ blocks: [any Block]) {
        self.blocks = blocks
    }

    public func height(width: Int) -> Int {
        blocks.reduce(0) { $0 + $1.height(width: width) }
    }

    public func draw(on canvas: inout Canvas, in area: Area) {
        var y = area.y
        for block in blocks {
            let height = block.height(width: area.width)
            block.draw(on: &canvas, in: Area(x: area.x, y: y, width: area.width, height: height))
            y += height
        }
    }
}

/// A frame around a block, with a title in its upper edge.
public struct Box: Block {
    private let title: StyledText
    private let content: any Block
    private let style: Style

    /// - Parameter style: the style of the frame.
    public init(_ title: StyledText = "", style: Style = .dim, _ content: any Block) {
        self.title = title
        self.content = content
        self.style = style
    }

    public func height(width: Int) -> Int {
        content.height(width: max(0, width - 4)) + 2
    }

    public func draw(on canvas: inout Canvas, in area: Area) {
        guard area.width >= 2, area.height >= 2 else { return }
        let edge = String(repeating: "─", count: area.width - 2)
        canvas.write(StyledText("┌\(edge)┐", style), x: area.x, y: area.y)
        for y in area.y + 1..<area.y + area.height - 1 {
            canvas.write(StyledText("│", style), x: area.x, y: y)
            canvas.write(StyledText("│", style), x: area.x + area.width - 1, y: y)
        }
        canvas.write(StyledText("└\(edge)┘", style), x: area.x, y: area.y + area.height - 1)
        if !title.isEmpty, area.width > 6 {
            canvas.write(" " + title.truncated(to: area.width - 6) + " ", x: area.x + 2, y: area.y)
        }
        let inner = area.inset(x: 2, y: 1)
        canvas.clipped(to: inner) { content.draw(on: &$0, in: inner) }
    }
}

extension Canvas {
    fileprivate mutating func write(_ lines: [StyledText], in area: Area) {
        for (row, line) in lines.prefix(area.height).enumerated() { write(line, x: area.x, y: area.y + row) }
    }
}

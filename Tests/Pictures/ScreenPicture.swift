import PseudoTerminal

/// The screen of a terminal as an SVG picture, in a window with a title.
///
/// Every piece of text has its column and its width, every symbol has the middle of its cell, and lines are drawn
/// instead of written, so that a picture has the same layout in every font.
struct ScreenPicture {
    /// Six tenths of the font's size, as in most monospaced fonts.
    private static let cellWidth = 12
    private static let cellHeight = 26
    private static let fontSize = 20
    private static let baseline = 19
    private static let margin = 20
    private static let titleHeight = 42
    fileprivate static let background = "#1e1e26"
    fileprivate static let foreground = "#d7dae0"
    /// ANSI's colours in their order.
    fileprivate static let palette = [
        "#2b2b33", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0",
    ]

    private let screen: TerminalEmulator
    private let title: String

    init(_ screen: TerminalEmulator, title: String) { (self.screen, self.title) = (screen, title) }

    var svg: String {
        let width = screen.columns * Self.cellWidth + 2 * Self.margin
        let height = screen.rows * Self.cellHeight + Self.titleHeight + Self.margin
        let buttons = (0..<3).map { "<circle cx=\"\(24 + 22 * $0)\" cy=\"21\" r=\"7\"/>" }.joined()
        let rows = (0..<screen.rows).map { backgrounds($0) + pieces($0).map(draw).joined() }.joined()
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
            role="img" aria-label="\(title.escaped)">
            <rect x="1" y="1" width="\(width - 2)" height="\(height - 2)" rx="12" fill="\(Self.background)" stroke="#4b4b58"/>
            <g fill="#4b4b58">\(buttons)</g>
            <text x="\(width / 2)" y="27" text-anchor="middle" font-family="sans-serif" font-size="17" fill="#9a9aa6">\
            \(title.escaped)</text>
            <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="\(Self.fontSize)" \
            fill="\(Self.foreground)" shape-rendering="crispEdges">
            \(rows)</g>
            </svg>

            """
    }

    // MARK: - Pieces

    /// The pieces of a row. Two spaces end a text, and the next one starts at its own column.
    private func pieces(_ row: Int) -> [Piece] {
        var pieces: [Piece] = []
        var spaces = 2
        for column in 0..<screen.columns {
            let cell = screen.cell(column, row)
            guard cell.text != " " else {
                spaces += 1
                continue
            }
            let kind = Piece.Kind(cell.text)
            let style = Style(cell.style)
            let isJoined = spaces == 0 || (spaces == 1 && kind == .text)
            if isJoined, kind != .symbol, let last = pieces.last, last.kind == kind, last.style == style {
                pieces[pieces.count - 1].cells += Array(repeating: " ", count: spaces) + [cell.text]
            } else {
                pieces.append(Piece(kind: kind, row: row, column: column, style: style, cells: [cell.text]))
            }
            spaces = 0
        }
        return pieces
    }

    // MARK: - Drawing

    private func x(_ column: Int) -> Int { Self.margin + column * Self.cellWidth }
    private func y(_ row: Int) -> Int { Self.titleHeight + row * Self.cellHeight }

    private func backgrounds(_ row: Int) -> String {
        let colors = (0..<screen.columns).map { Style(screen.cell($0, row).style).background }
        var (svg, start) = ("", 0)
        while start < colors.count {
            let end = colors[start...].firstIndex { $0 != colors[start] } ?? colors.count
            if let color = colors[start] {
                let size = #"width="\#((end - start) * Self.cellWidth)" height="\#(Self.cellHeight)""#
                svg += #"<rect x="\#(x(start))" y="\#(y(row))" \#(size) fill="\#(color)"/>"# + "\n"
            }
            start = end
        }
        return svg
    }

    private func draw(_ piece: Piece) -> String {
        let (style, left, line) = (piece.style, x(piece.column), y(piece.row) + Self.baseline)
        let place: String
        switch piece.kind {
        case .line:
            let stroke = #"stroke="\#(style.foreground)" stroke-width="2""#
            return #"<path d="\#(lines(piece))" fill="none" \#(stroke)\#(style.attributes)/>"# + "\n"
        case .text where piece.cells.count > 1:
            let length = piece.cells.count * Self.cellWidth
            place = #"x="\#(left)" y="\#(line)" textLength="\#(length)" lengthAdjust="spacingAndGlyphs""#
        case .text, .symbol:
            place = #"x="\#(left + Self.cellWidth / 2)" y="\#(line)" text-anchor="middle""#
        }
        return "<text \(place)\(style.fill)\(style.attributes)>\(piece.cells.joined().escaped)</text>\n"
    }

    /// The path of characters that are lines.
    private func lines(_ piece: Piece) -> String {
        let (top, middle) = (y(piece.row), y(piece.row) + Self.cellHeight / 2)
        var path = ""
        /// The end of the last horizontal line.
        var pen: Int?
        for (index, cell) in piece.cells.enumerated() {
            guard let ends = LineEnd.of[cell] else { continue }
            let center = x(piece.column + index) + Self.cellWidth / 2
            let left = ends.contains(.left) ? center - Self.cellWidth / 2 : center
            let right = ends.contains(.right) ? center + Self.cellWidth / 2 : center
            if left < right { path += pen == left ? "H\(right)" : "M\(left) \(middle)H\(right)" }
            pen = left < right ? right : nil
            guard ends.contains(.up) || ends.contains(.down) else { continue }
            let start = ends.contains(.up) ? top : middle
            path += "M\(center) \(start)V\(ends.contains(.down) ? top + Self.cellHeight : middle)"
            pen = nil
        }
        return path
    }
}

/// Neighbouring cells of a row with one look.
private struct Piece {
    enum Kind {
        case text, symbol, line

        init(_ cell: String) {
            // Arrows and all that follows them come from other fonts, with other widths.
            let isSymbol = cell.unicodeScalars.contains { $0.value >= 0x2190 }
            self = LineEnd.of[cell] != nil ? .line : isSymbol ? .symbol : .text
        }
    }

    let kind: Kind
    let row: Int
    let column: Int
    let style: Style
    var cells: [String]
}

/// The edges of a cell that its lines reach from the middle.
private enum LineEnd {
    case left, right, up, down

    static let of: [String: Set<LineEnd>] = [
        "─": [.left, .right], "│": [.up, .down], "┌": [.right, .down], "┐": [.left, .down], "└": [.right, .up],
        "┘": [.left, .up], "├": [.right, .up, .down], "┤": [.left, .up, .down],
    ]
}

/// The parameters of "select graphic rendition" that the programs use.
private struct Style: Equatable {
    var foreground = ScreenPicture.foreground
    var background: String?
    /// The attributes of the SVG element, apart from the colour.
    var attributes = ""

    init(_ parameters: [Int]) {
        var isInverse = false
        for parameter in parameters {
            switch parameter {
            case 1: attributes += " font-weight=\"bold\""
            case 2: attributes += " opacity=\"0.65\""
            case 4: attributes += " text-decoration=\"underline\""
            case 7: isInverse = true
            case 9: attributes += " text-decoration=\"line-through\""
            case 30...37: foreground = ScreenPicture.palette[parameter - 30]
            default: break
            }
        }
        if isInverse { (foreground, background) = (ScreenPicture.background, foreground) }
    }

    /// The colour of text, unless it is the picture's own.
    var fill: String { foreground == ScreenPicture.foreground ? "" : " fill=\"\(foreground)\"" }
}

extension String {
    fileprivate var escaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}

import PseudoTerminal

/// The screen of a terminal as an SVG picture, in a window with a title.
///
/// Text stays text: it can be selected, searched and read aloud. Each run of cells with one style is stretched to its columns, so that
/// columns stay aligned in any monospaced font.
struct ScreenPicture {
    private static let cell = (width: 8.4, height: 18.0)
    private static let margin = 14.0
    private static let titleHeight = 34.0
    private static let palette = [
        "#2b2b33", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0",
    ]

    private let screen: TerminalEmulator
    private let title: String

    init(_ screen: TerminalEmulator, title: String) {
        self.screen = screen
        self.title = title
    }

    var svg: String {
        let width = Double(screen.columns) * Self.cell.width + 2 * Self.margin
        let height = Double(screen.rows) * Self.cell.height + 2 * Self.margin + Self.titleHeight
        let rows = (0..<screen.rows).map(row).joined()
        let lights = ["#ff5f57", "#febc2e", "#28c840"].enumerated().map { place, color in
            "<circle cx=\"\(20 + 20 * place)\" cy=\"17\" r=\"6\" fill=\"\(color)\"/>"
        }.joined()
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" role="img" aria-label="\(escaped(title))">
            <rect width="100%" height="100%" rx="10" fill="#1e1e26"/>\(lights)
            <text x="50%" y="22" text-anchor="middle" font-family="sans-serif" font-size="13" fill="#9a9aa6">\(escaped(title))</text>
            <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
            \(rows)</g>
            </svg>

            """
    }

    private func row(_ number: Int) -> String {
        var text = ""
        var column = 0
        while column < screen.columns {
            let style = screen.cell(column, number).style
            let start = column
            var run = ""
            while column < screen.columns, screen.cell(column, number).style == style {
                run += screen.cell(column, number).text
                column += 1
            }
            text += self.run(run, columns: start..<column, row: number, style: Style(style))
        }
        return text
    }

    private func run(_ text: String, columns: Range<Int>, row: Int, style: Style) -> String {
        let x = Self.margin + Double(columns.lowerBound) * Self.cell.width
        let y = Self.margin + Self.titleHeight + Double(row) * Self.cell.height
        let width = Double(columns.count) * Self.cell.width
        var svg = ""
        if let background = style.background {
            svg +=
                "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(Self.cell.height)\" fill=\"\(background)\"/>"
        }
        guard text.contains(where: { $0 != " " }) else { return svg.isEmpty ? "" : svg + "\n" }
        svg += """
            <text x="\(x)" y="\(y + 13.5)" textLength="\(width)" lengthAdjust="spacingAndGlyphs" fill="\(style.foreground)"\
            \(style.isBold ? " font-weight=\"bold\"" : "")\(style.isDim ? " opacity=\"0.6\"" : "")>\(escaped(text))</text>

            """
        return svg
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// The parameters of "select graphic rendition" that the programs use.
    private struct Style {
        var foreground = "#d7dae0"
        var background: String?
        var isBold = false
        var isDim = false

        init(_ parameters: [Int]) {
            var isInverse = false
            for parameter in parameters {
                switch parameter {
                case 1: isBold = true
                case 2: isDim = true
                case 7: isInverse = true
                case 30...37: foreground = ScreenPicture.palette[parameter - 30]
                case 90...97: foreground = ScreenPicture.palette[parameter - 90]
                case 40...47: background = ScreenPicture.palette[parameter - 40]
                default: break
                }
            }
            if isInverse { (foreground, background) = (background ?? "#1e1e26", foreground) }
        }
    }
}

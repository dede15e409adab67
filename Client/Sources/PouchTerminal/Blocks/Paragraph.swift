/// Text, broken into as many lines as it takes.
public struct Paragraph: Block {
    private let paragraphs: [StyledText]

    public init(_ text: StyledText) {
        paragraphs = [text]
    }

    /// Text whose own line breaks count.
    public init(_ text: String, _ style: Style = .plain) {
        paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            StyledText(String($0), style)
        }
    }

    public func height(width: Int) -> Int {
        lines(width).count
    }

    public func draw(on canvas: inout Canvas, in area: Area) {
        for (row, line) in lines(area.width).prefix(area.height).enumerated() {
            canvas.write(line, x: area.x, y: area.y + row)
        }
    }

    private func lines(_ width: Int) -> [StyledText] {
        paragraphs.flatMap { $0.wrapped(to: width) }
    }
}

/// Which key does what, for the last rows of a screen.
public struct KeyHints: Block {
    private let hints: [StyledText]

    public init(_ hints: [(key: String, meaning: String)]) {
        self.hints = hints.map { StyledText($0.key, .bold) + StyledText(" \($0.meaning)", .dim) }
    }

    public func height(width: Int) -> Int { lines(width).count }

    public func draw(on canvas: inout Canvas, in area: Area) {
        for (row, line) in lines(area.width).prefix(area.height).enumerated() {
            canvas.write(line, x: area.x, y: area.y + row)
        }
    }

    private func lines(_ width: Int) -> [StyledText] { StyledText.lines(of: hints, gap: 2, width: width) }
}

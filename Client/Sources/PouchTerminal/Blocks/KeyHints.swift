/// Which key does what, for the last row of a screen.
public struct KeyHints: Block {
    private let hints: [(key: String, meaning: String)]

    public init(_ hints: [(key: String, meaning: String)]) {
        self.hints = hints
    }

    public func height(width: Int) -> Int { text.wrapped(to: width).count }

    public func draw(on canvas: inout Canvas, in area: Area) {
        Paragraph(text).draw(on: &canvas, in: area)
    }

    /// The space within a hint does not break.
    private var text: StyledText {
        hints.reduce("") { text, hint in
            let meaning = hint.meaning.replacing(" ", with: "\u{A0}")
            let hint = StyledText(hint.key, .bold) + StyledText("\u{A0}" + meaning, .dim)
            return text.isEmpty ? hint : text + "  " + hint
        }
    }
}

/// One line of text of which parts may look different. What it is made of is made harmless first.
public struct StyledText: Sendable, Hashable, ExpressibleByStringInterpolation {
    public struct Span: Sendable, Hashable {
        public let text: String
        public let style: Style
    }

    public private(set) var spans: [Span]

    public init(_ text: String, _ style: Style = .plain) {
        spans = text.isEmpty ? [] : [Span(text: text.harmless, style: style)]
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// - Parameter characters: with the look of each; harmless already.
    init(_ characters: some Sequence<(character: Character, style: Style)>) {
        spans = []
        for (character, style) in characters {
            if let last = spans.last, last.style == style {
                spans[spans.count - 1] = Span(text: last.text + String(character), style: style)
            } else {
                spans.append(Span(text: String(character), style: style))
            }
        }
    }

    public static func + (left: StyledText, right: StyledText) -> StyledText {
        var sum = left
        sum.spans += right.spans
        return sum
    }

    public var isEmpty: Bool { spans.isEmpty }

    /// The characters alone.
    public var plain: String { spans.map(\.text).joined() }

    /// The characters with the sequences that style them, for a terminal that is written to line by line.
    public var rendered: String {
        spans.map { span in
            span.style == .plain ? span.text : span.style.selection(hasColors: true) + span.text + "\u{1B}[0m"
        }.joined()
    }

    /// How many columns it takes.
    public var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

    /// The same text in this style as well.
    public func adding(_ style: Style) -> StyledText {
        var text = self
        text.spans = spans.map { Span(text: $0.text, style: $0.style.adding(style)) }
        return text
    }

    /// At most so many columns, with an ellipsis where something was cut off.
    public func truncated(to columns: Int) -> StyledText {
        guard self.columns > columns else { return self }
        guard columns > 0 else { return "" }
        var room = columns - 1
        let kept = characters.prefix {
            room -= $0.character.columns; return room >= 0
        }
        return StyledText(kept) + StyledText("…", kept.last?.style ?? .plain)
    }

    var characters: [(character: Character, style: Style)] {
        spans.flatMap { span in span.text.glyphs.map { ($0, span.style) } }
    }
}

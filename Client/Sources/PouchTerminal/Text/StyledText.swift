import Foundation

/// One line of text whose parts may differ in style. Its text is always `harmless`.
///
///     let price = StyledText("was 159.00  ", .dim) + StyledText("129.00 EUR", .bold)
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

    /// - Parameter glyphs: characters with their styles; the characters are harmless already.
    private init(_ glyphs: some Sequence<Glyph>) {
        spans = []
        for (character, style) in glyphs {
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

    /// The text without its styles.
    public var plain: String { spans.map(\.text).joined() }

    /// The text with the escape sequences of its styles, for a terminal that is written to line by line.
    public var rendered: String {
        spans.map { span in
            span.style == .plain ? span.text : span.style.selection(hasColors: true) + span.text + "\u{1B}[0m"
        }.joined()
    }

    /// The number of terminal columns.
    public var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

    /// The text with a style added to each of its parts.
    public func adding(_ style: Style) -> StyledText {
        var text = self
        text.spans = spans.map { Span(text: $0.text, style: $0.style.adding(style)) }
        return text
    }

    /// The text in at most this many columns, with an ellipsis if it was truncated.
    public func truncated(to columns: Int) -> StyledText {
        guard self.columns > columns else { return self }
        guard columns > 0 else { return "" }
        var room = columns - 1
        let kept = glyphs.prefix {
            room -= $0.character.columns
            return room >= 0
        }
        return StyledText(kept) + StyledText("…", kept.last?.style ?? .plain)
    }

    private typealias Glyph = (character: Character, style: Style)

    private var glyphs: [Glyph] { spans.flatMap { span in span.text.glyphs.map { ($0, span.style) } } }
}

// MARK: - Lines

extension StyledText {
    /// The text in lines of at most `width` columns, broken between words, and within a word that is longer than a
    /// line.
    ///
    /// - Returns: at least one line; none for a width below 1.
    public func wrapped(to width: Int) -> [StyledText] {
        guard width > 0 else { return [] }
        var wrapping = Wrapping(width: width)
        for glyph in glyphs { wrapping.add(glyph) }
        return wrapping.lines
    }

    /// Lays out pieces next to each other, in as many lines as needed. A piece is never broken; one that is wider than
    /// a line is truncated.
    ///
    /// - Parameter gap: columns between two pieces.
    /// - Returns: no line for a width below 1.
    public static func lines(of pieces: [StyledText], gap: Int, width: Int) -> [StyledText] {
        guard width > 0 else { return [] }
        var lines: [StyledText] = []
        for piece in pieces.map({ $0.truncated(to: width) }) {
            if let last = lines.last, last.columns + gap + piece.columns <= width {
                lines[lines.count - 1] = last + StyledText(String(repeating: " ", count: gap)) + piece
            } else {
                lines.append(piece)
            }
        }
        return lines
    }

    private struct Wrapping {
        let width: Int
        var full: [StyledText] = []
        var line: [Glyph] = []
        var columns = 0
        /// The number of glyphs of the line that can end it.
        var breakpoint = 0

        var lines: [StyledText] { full + [StyledText(line)] }

        mutating func add(_ glyph: Glyph) {
            guard glyph.character != " " else { return addSpace(glyph) }
            let wanted = glyph.character.columns
            while columns + wanted > width, !line.isEmpty { breakLine() }
            line.append(glyph)
            columns += wanted
            // Scripts of wide characters have no spaces; a line may break after each.
            if wanted == 2 { breakpoint = line.count }
        }

        private mutating func addSpace(_ space: Glyph) {
            if columns == width {
                breakpoint = line.count
                breakLine()
            } else if !line.isEmpty || full.isEmpty {
                line.append(space)
                columns += 1
                breakpoint = line.count
            }
        }

        private mutating func breakLine() {
            let kept = breakpoint > 0 ? breakpoint : line.count
            let words = line[..<kept].reversed().drop { $0.character == " " }.reversed()
            full.append(StyledText(words))
            line.removeFirst(kept)
            columns = line.reduce(0) { $0 + $1.character.columns }
            breakpoint = 0
        }
    }
}

// MARK: - Distances and times

public enum DistanceText {
    /// A distance for the user, rounded: `850 m`, `4.2 km`, `31 km`.
    public static func text(_ metres: Double) -> String {
        guard metres < 1e9 else { return "far" }
        if metres < 995 { return "\(Int((metres / 10).rounded()) * 10) m" }
        let tenths = Int((metres / 100).rounded())
        let isWhole = tenths >= 100 || tenths.isMultiple(of: 10)
        return isWhole ? "\((tenths + 5) / 10) km" : "\(tenths / 10).\(tenths % 10) km"
    }
}

public enum TimeText {
    /// A date and time to the minute: `2026-11-21 10:15`.
    public static func minutes(_ time: Date, _ timeZone: TimeZone) -> String {
        let format = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
            .dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        return String(time.formatted(format).prefix(16))
    }
}

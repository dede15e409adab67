extension StyledText {
    /// The text in lines of at most so many columns, broken between words, and within a word that is longer than a line.
    ///
    /// - Returns: at least one line; none for a width below 1.
    public func wrapped(to width: Int) -> [StyledText] {
        guard width > 0 else { return [] }
        var wrapping = Wrapping(width: width)
        for character in characters { wrapping.add(character) }
        return wrapping.lines
    }

    /// Pieces side by side, in as many lines as it takes. A piece is never broken, only cut where it is wider than a line.
    ///
    /// - Parameter gap: columns between two pieces.
    /// - Returns: none for a width below 1.
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
}

private struct Wrapping {
    typealias Glyph = (character: Character, style: Style)

    let width: Int
    private var full: [StyledText] = []
    private var line: [Glyph] = []
    private var columns = 0
    /// How much of the line may stand alone when it gets too long.
    private var breakpoint = 0

    init(width: Int) {
        self.width = width
    }

    var lines: [StyledText] { full + [StyledText(line)] }

    mutating func add(_ glyph: Glyph) {
        guard glyph.character != " " else { return addSpace(glyph) }
        let wanted = glyph.character.columns
        while columns + wanted > width, !line.isEmpty { breakLine() }
        line.append(glyph)
        columns += wanted
        // Scripts of wide characters have no spaces.
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

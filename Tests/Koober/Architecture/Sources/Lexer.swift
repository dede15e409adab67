/// Splits Swift source into tokens without comments. Regular expression literals are not supported.
struct Lexer {
    private let source: [Character]
    private var position = 0
    private var line = 1
    private var tokens: [Token] = []

    static func tokens(of source: String) -> [Token] {
        var lexer = Lexer(source)
        lexer.read(interpolation: false)
        return lexer.tokens
    }

    private init(_ source: String) { self.source = Array(source) }

    private mutating func read(interpolation: Bool) {
        var depth = 0
        while let character = peek() {
            if starts(with: "//") {
                while let next = peek(), !next.isNewline { advance() }
            } else if starts(with: "/*") {
                skipComment()
            } else if character == "\"" || (character == "#" && isRawText) {
                readText()
            } else if character.isWhitespace {
                advance()
            } else if character.isLetter || character.isNumber || character == "_" || character == "`" {
                readWord()
            } else if starts(with: "->") {
                add("->", length: 2)
            } else {
                if character == "(" { depth += 1 }
                if character == ")" {
                    if interpolation, depth == 0 { return advance() }
                    depth -= 1
                }
                add(String(character), length: 1)
            }
        }
    }

    private var isRawText: Bool {
        var offset = 0
        while peek(offset) == "#" { offset += 1 }
        return peek(offset) == "\""
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            let change = starts(with: "/*") ? 1 : starts(with: "*/") ? -1 : 0
            depth += change
            advance(change == 0 ? 1 : 2)
        } while depth > 0 && peek() != nil
    }

    private mutating func readText() {
        let start = line
        var pounds = ""
        while peek(pounds.count) == "#" { pounds += "#" }
        advance(pounds.count)
        let quote = starts(with: "\"\"\"") ? "\"\"\"" : "\""
        advance(quote.count)
        var literal = ""
        while let character = peek(), !starts(with: quote + pounds) {
            guard starts(with: "\\" + pounds) else {
                literal.append(character)
                advance()
                continue
            }
            let isInterpolation = peek(1 + pounds.count) == "("
            advance(2 + pounds.count)
            if isInterpolation { read(interpolation: true) }
        }
        advance(quote.count + pounds.count)
        tokens.append(Token(text: "\"", line: start, literal: literal))
    }

    private mutating func readWord() {
        let start = position
        while let next = peek(), next.isLetter || next.isNumber || next == "_" || next == "`" { position += 1 }
        tokens.append(Token(text: String(source[start..<position]).filter { $0 != "`" }, line: line))
    }

    private mutating func add(_ text: String, length: Int) {
        tokens.append(Token(text: text, line: line))
        advance(length)
    }

    private func peek(_ offset: Int = 0) -> Character? {
        position + offset < source.count ? source[position + offset] : nil
    }

    private func starts(with text: String) -> Bool { text.enumerated().allSatisfy { peek($0.offset) == $0.element } }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count {
            if peek()?.isNewline == true { line += 1 }
            position += 1
        }
    }
}

/// A word, a number or a sign. A string literal is one token, `"`, after the tokens of its interpolations.
struct Token: Hashable {
    let text: String
    let line: Int
    /// The text of a string literal, without its interpolations and escapes; nil for other tokens.
    var literal: String?

    var isWord: Bool { text.first.map { $0.isLetter || $0 == "_" } ?? false }
    var isTypeName: Bool { text.first?.isUppercase ?? false }
}

extension Array<Token> {
    /// The index after the bracket that closes the one at `index`, or the end.
    func end(ofGroupAt index: Int) -> Int {
        var (depth, position) = (0, index)
        while position < count {
            if ["(", "[", "{"].contains(self[position].text) { depth += 1 }
            if [")", "]", "}"].contains(self[position].text) { depth -= 1 }
            position += 1
            if depth == 0 { break }
        }
        return position
    }

    func text(at index: Int) -> String? { indices.contains(index) ? self[index].text : nil }
}

/// A word, a number or a sign of Swift source. A literal text is one token, `"`; what is interpolated stands before it.
struct Token: Hashable {
    let text: String
    let line: Int

    var isWord: Bool { text.first.map { $0.isLetter || $0 == "_" } ?? false }
    var isTypeName: Bool { text.first?.isUppercase ?? false }
}

extension Array<Token> {
    /// The index behind what is closed: that of the bracket at `index`, or the end.
    func end(ofGroupAt index: Int) -> Int {
        var (depth, position) = (0, index)
        while position < count {
            switch self[position].text {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            default: break
            }
            position += 1
            if depth == 0 { break }
        }
        return position
    }

    func text(at index: Int) -> String? { indices.contains(index) ? self[index].text : nil }
}

/// An editable line of text with a cursor.
public struct TextField: Sendable, Equatable {
    /// The maximum number of characters in a field; further ones are ignored.
    public static let limit = 1_000

    public private(set) var text: String
    /// The number of characters before the cursor.
    private(set) var cursor: Int

    /// Places the cursor at the end.
    public init(_ text: String = "") {
        self.text = text.harmless
        cursor = self.text.count
    }

    /// Edits the text.
    ///
    /// - Returns: false for a key that a field does not use.
    public mutating func press(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(text)
        case .backspace where cursor > 0: remove(cursor - 1..<cursor)
        case .delete where cursor < text.count: remove(cursor..<cursor + 1)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        case .control("u"): remove(0..<cursor)
        case .control("k"): remove(cursor..<text.count)
        case .control("w"): remove(wordStart..<cursor)
        case .backspace, .delete: break
        default: return false
        }
        return true
    }

    /// Inserts text, which may combine with the character before the cursor, for example an accent.
    private mutating func insert(_ new: String) {
        let before = text.prefix(cursor) + new.harmless.prefix(max(0, Self.limit - text.count))
        let after = text.dropFirst(cursor)
        cursor = before.count
        text = String(before + after)
    }

    private mutating func remove(_ range: Range<Int>) {
        text = String(text.prefix(range.lowerBound) + text.dropFirst(range.upperBound))
        cursor = range.lowerBound
    }

    private var wordStart: Int {
        let before = Array(text.prefix(cursor))
        let end = before.lastIndex { $0 != " " } ?? 0
        return before[..<end].lastIndex(of: " ").map { $0 + 1 } ?? 0
    }
}

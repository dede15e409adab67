/// The `?` of the SQL that the databases share, as PostgreSQL wants them.
enum Placeholders {
    /// Numbers each `?` that stands for an argument, and none within a text, a quoted name or a comment.
    static func numbered(_ sql: String) -> String {
        var numbered: [UInt8] = []
        numbered.reserveCapacity(sql.utf8.count + 16)
        var count = 0
        var end: [UInt8]?
        var rest = Array(sql.utf8)[...]
        while let byte = rest.first {
            if let closing = end {
                if rest.starts(with: closing) {
                    numbered += closing
                    rest = rest.dropFirst(closing.count)
                    end = nil
                    continue
                }
            } else if byte == UInt8(ascii: "?") {
                count += 1
                numbered += "$\(count)".utf8
                rest = rest.dropFirst()
                continue
            } else if let span = spans.first(where: { rest.starts(with: $0.opening) }) {
                numbered += span.opening
                rest = rest.dropFirst(span.opening.count)
                end = span.closing
                continue
            }
            numbered.append(byte)
            rest = rest.dropFirst()
        }
        return String(decoding: numbered, as: UTF8.self)
    }

    /// A doubled quote within a text closes it and opens the next.
    private static let spans: [(opening: [UInt8], closing: [UInt8])] = [
        (Array("'".utf8), Array("'".utf8)), (Array("\"".utf8), Array("\"".utf8)),
        (Array("--".utf8), Array("\n".utf8)), (Array("/*".utf8), Array("*/".utf8)),
    ]
}

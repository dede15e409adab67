import NIOCore
import PouchHTTP
import PouchJSON

/// A rendered page with gaps for the few values that differ between its visitors, so that one rendering serves all.
struct PageBytes: CatalogAnswer {
    /// The value of a gap.
    enum Gap: String, CaseIterable, Sendable {
        /// Shows that a form was made for this visitor.
        case csrf
        /// A new idempotency key.
        case key
        /// The units in the cart; empty for none.
        case cartCount

        /// Stands for the value while the page is rendered. It is random, so that no text from outside contains it.
        var marker: String { Self.nonce + rawValue + "." }

        fileprivate static let nonce = "~gap-" + String(UInt64.random(in: .min ... .max), radix: 36) + "-"
    }

    let mediaType: String
    private let pieces: [ByteBuffer]
    /// The gap behind each piece but the last.
    private let gaps: [Gap]

    init(_ text: String, mediaType: String) {
        self.mediaType = mediaType
        var pieces: [ByteBuffer] = []
        var gaps: [Gap] = []
        // Compared as bytes: a search for characters would take longer than the rendering.
        var rest = Array(text.utf8)[...]
        while let (gap, range) = Self.first(in: rest) {
            pieces.append(ByteBuffer(bytes: rest[..<range.lowerBound]))
            gaps.append(gap)
            rest = rest[range.upperBound...]
        }
        pieces.append(ByteBuffer(bytes: rest))
        self.pieces = pieces
        self.gaps = gaps
    }

    private static func first(in text: ArraySlice<UInt8>) -> (Gap, Range<Int>)? {
        var start = text.startIndex
        while let place = text[start...].firstIndex(of: nonceBytes[0]) {
            if text[place...].starts(with: nonceBytes) {
                let name = text[place...].dropFirst(nonceBytes.count)
                if let gap = Gap.allCases.first(where: { name.starts(with: ($0.rawValue + ".").utf8) }) {
                    return (gap, place..<place + gap.marker.utf8.count)
                }
            }
            start = place + 1
        }
        return nil
    }

    private static let nonceBytes = Array(Gap.nonce.utf8)

    var bodyBytes: Int { pieces.reduce(0) { $0 + $1.storageCapacity } }

    func filled(_ value: (Gap) -> String) -> ByteBuffer {
        guard !gaps.isEmpty else { return pieces[0] }
        var body = ByteBuffer()
        body.reserveCapacity(pieces.reduce(0) { $0 + $1.readableBytes } + gaps.count * 64)
        for (index, piece) in pieces.enumerated() {
            body.writeImmutableBuffer(piece)
            if index < gaps.count { body.writeString(value(gaps[index])) }
        }
        return body
    }
}

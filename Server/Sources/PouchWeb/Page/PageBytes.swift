import Foundation
import NIOCore
import PouchDomain
import PouchHTTP

/// A rendered page with gaps for the few values that differ between visitors, so one rendering serves all visitors.
struct PageBytes: CatalogAnswer {
    /// The kind of value in a gap.
    enum Gap: Int, CaseIterable, Sendable {
        /// The token that shows that a form was made for this visitor.
        case csrf
        /// A new idempotency key.
        case key
        /// The number of units in the cart; empty for none.
        case cartCount

        /// The placeholder for the value during rendering. It is random, so no external text contains it.
        var marker: String { Self.nonce + "\(rawValue)." }

        fileprivate static let nonce = "~gap-" + String(UInt64.random(in: .min ... .max), radix: 36) + "-"
    }

    let mediaType: String
    /// The text without its gaps.
    private let text: ByteBuffer
    /// The gaps, in the order of their places in the text.
    private let gaps: [(place: Int, gap: Gap)]
    /// The kinds of gaps in the page, without duplicates.
    private let kinds: [Gap]
    /// The entity tag; nil for a page with gaps, which differs for each visitor.
    let etag: String?

    init(_ text: String, mediaType: String, digests: any Digests) {
        self.mediaType = mediaType
        var whole = ByteBuffer()
        whole.reserveCapacity(text.utf8.count)
        var gaps: [(place: Int, gap: Gap)] = []
        // Compares bytes: a search for characters would take longer than the rendering.
        var rest = Array(text.utf8)[...]
        while let (gap, range) = Self.first(in: rest) {
            whole.writeBytes(rest[..<range.lowerBound])
            gaps.append((whole.writerIndex, gap))
            rest = rest[range.upperBound...]
        }
        whole.writeBytes(rest)
        self.text = whole
        self.gaps = gaps
        kinds = Gap.allCases.filter { kind in gaps.contains { $0.gap == kind } }
        etag = gaps.isEmpty ? ETag.strong(digests.sha256(Data(whole.readableBytesView))) : nil
    }

    private static func first(in text: ArraySlice<UInt8>) -> (Gap, Range<Int>)? {
        var start = text.startIndex
        while let place = text[start...].firstIndex(of: nonceBytes[0]) {
            if text[place...].starts(with: nonceBytes) {
                let name = text[place...].dropFirst(nonceBytes.count)
                if let gap = Gap.allCases.first(where: { name.starts(with: "\($0.rawValue).".utf8) }) {
                    return (gap, place..<place + gap.marker.utf8.count)
                }
            }
            start = place + 1
        }
        return nil
    }

    private static let nonceBytes = Array(Gap.nonce.utf8)

    var bodyBytes: Int { text.storageCapacity }

    /// - Parameter value: called once for each kind of gap, so that all forms of the page share the value.
    func filled(_ value: (Gap) -> String) -> ByteBuffer {
        var values = Array(repeating: "", count: Gap.allCases.count)
        for gap in kinds { values[gap.rawValue] = value(gap) }
        let length = gaps.reduce(0) { $0 + values[$1.gap.rawValue].utf8.count }
        // Shares the bytes instead of copying them if the page has no forms and the visitor's cart is empty.
        guard length > 0 else { return text }
        var body = ByteBuffer()
        body.reserveCapacity(text.readableBytes + length)
        text.withUnsafeReadableBytes { bytes in
            var start = 0
            for (place, gap) in gaps {
                body.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
                body.writeString(values[gap.rawValue])
                start = place
            }
            body.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
        return body
    }
}

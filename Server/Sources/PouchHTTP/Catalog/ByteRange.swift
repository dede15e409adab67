/// One range of bytes (RFC 9110 §14.1.2). A request for several is answered as if it had none, which is allowed.
struct ByteRange {
    private enum Form {
        case from(Int, to: Int?)
        case last(Int)
    }

    private let form: Form

    /// - Returns: nil for anything that is not one range of bytes, which is then ignored.
    init?(_ header: String) {
        guard header.hasPrefix("bytes=") else { return nil }
        let halves = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        switch (Int(halves[0]), Int(halves[1])) {
        case (let first?, let last?) where first <= last: form = .from(first, to: last)
        case (let first?, nil) where halves[1].isEmpty: form = .from(first, to: nil)
        case (nil, let count?) where halves[0].isEmpty: form = .last(count)
        default: return nil
        }
    }

    /// - Returns: nil when nothing of the range lies within so many bytes.
    func bounds(of count: Int) -> Range<Int>? {
        switch form {
        case .from(let first, let last):
            guard first < count else { return nil }
            return first..<min(last.map { $0 < .max ? $0 + 1 : $0 } ?? count, count)
        case .last(let wanted):
            guard wanted > 0, count > 0 else { return nil }
            return max(0, count - wanted)..<count
        }
    }
}

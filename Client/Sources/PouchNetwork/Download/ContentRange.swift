/// Which bytes of a file an answer holds (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    /// nil where the range that was asked for is not there (416).
    let bytes: ClosedRange<Int64>?
    /// nil where the server does not know.
    let total: Int64?

    /// - Returns: nil for what is not a range of bytes, or contradicts itself.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        total = Int64(halves[1])
        guard total ?? 0 >= 0, total != nil || halves[1] == "*" else { return nil }
        if halves[0] == "*" {
            bytes = nil
        } else {
            let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
            guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 0, first <= last,
                total.map({ last < $0 }) ?? true
            else { return nil }
            bytes = first...last
        }
    }
}

extension Int64 {
    /// Reads a plain decimal number, as in `42.99` or `85`, in units of its last place; exact, without floating point.
    ///
    /// - Returns: nil when the text is not a plain decimal number, has more places, or does not fit.
    public init?(decimal text: String, places: Int) {
        var digits = Substring(text)
        let negative = digits.first == "-"
        if negative { digits.removeFirst() }
        let halves = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = halves[0]
        var fraction = halves.count > 1 ? String(halves[1]) : ""
        guard !whole.isEmpty, halves.count == 1 || !fraction.isEmpty,
            (whole + fraction).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        while fraction.count > places, fraction.hasSuffix("0") { fraction.removeLast() }
        guard fraction.count <= places else { return nil }
        fraction += String(repeating: "0", count: places - fraction.count)
        self.init((negative ? "-" : "") + whole + fraction)
    }
}

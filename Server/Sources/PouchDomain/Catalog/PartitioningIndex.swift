extension RandomAccessCollection {
    /// Where the elements for which the condition holds begin, by binary search; it must hold for none before and for
    /// all behind.
    func partitioningIndex(where condition: (Element) -> Bool) -> Index {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = index(range.lowerBound, offsetBy: distance(from: range.lowerBound, to: range.upperBound) / 2)
            range = condition(self[middle]) ? range.lowerBound..<middle : index(after: middle)..<range.upperBound
        }
        return range.lowerBound
    }
}

/// All words of an index, sorted by their letters and numbered in that order.
struct WordDictionary: Sendable {
    typealias Letters = ArraySlice<Unicode.Scalar>

    /// All words, one after the other.
    private let letters: [Unicode.Scalar]
    private let starts: [Int32]
    /// By word: the number of letters it has in common with the previous one.
    private let shared: [UInt16]

    var count: Int { shared.count }

    /// - Parameter words: sorted by their letters, without duplicates.
    init(sorted words: [[Unicode.Scalar]]) {
        letters = words.flatMap { $0 }
        starts = words.reduce(into: [0]) { starts, word in starts.append(starts[starts.count - 1] + Int32(word.count)) }
        shared = words.indices.map { index in
            guard index > 0 else { return 0 }
            return UInt16(clamping: zip(words[index - 1], words[index]).prefix { $0 == $1 }.count)
        }
    }

    subscript(word: Int) -> Letters { letters[Int(starts[word])..<Int(starts[word + 1])] }

    /// The words that start with a prefix.
    func words(startingWith prefix: [Unicode.Scalar]) -> Range<Int> {
        let lower = (0..<count).partitioningIndex { !self[$0].lexicographicallyPrecedes(prefix) }
        let upper = (lower..<count).partitioningIndex { !self[$0].starts(with: prefix) }
        return lower..<upper
    }

    /// The words within a number of edits, each with that number. An edit adds, drops or replaces a letter, or swaps
    /// two neighbours (optimal string alignment distance).
    ///
    /// Sorted words are a flat trie: the rows of the distance table for the letters shared with the previous word are
    /// kept, and words with a prefix that is already too far away are skipped.
    func words(within limit: Int, of word: [Unicode.Scalar]) -> [(word: Int, edits: Int)] {
        var found: [(word: Int, edits: Int)] = []
        let width = word.count + 1
        var rows = Array(0..<width) + Array(repeating: 0, count: (word.count + limit + 1) * width)
        var depth = 0
        var hopelessBeginning = Int.max
        for candidate in 0..<count where Int(shared[candidate]) < hopelessBeginning {
            depth = min(depth, Int(shared[candidate]))
            hopelessBeginning = .max
            let letters = self[candidate]
            while depth < letters.count {
                let nearest = Self.fillRow(depth + 1, of: letters, against: word, in: &rows)
                guard nearest <= limit else {
                    hopelessBeginning = depth + 1
                    break
                }
                depth += 1
            }
            let edits = rows[depth * width + word.count]
            if hopelessBeginning == .max, edits <= limit { found.append((candidate, edits)) }
        }
        return found
    }

    /// Fills the row of the distance table for the first `row` letters. Returns the smallest distance in it; no longer
    /// prefix has a smaller one.
    private static func fillRow(
        _ row: Int, of letters: Letters, against word: [Unicode.Scalar], in rows: inout [Int]
    ) -> Int {
        let width = word.count + 1
        let (this, last) = (row * width, (row - 1) * width)
        let letter = letters[letters.startIndex + row - 1]
        rows[this] = row
        var nearest = row
        for column in 1..<width {
            let replaced = rows[last + column - 1] + (word[column - 1] == letter ? 0 : 1)
            var distance = min(replaced, rows[last + column] + 1, rows[this + column - 1] + 1)
            if row > 1, column > 1, word[column - 2] == letter,
                word[column - 1] == letters[letters.startIndex + row - 2]
            {
                distance = min(distance, rows[last - width + column - 2] + 1)
            }
            rows[this + column] = distance
            nearest = min(nearest, distance)
        }
        return nearest
    }
}

extension RandomAccessCollection {
    /// The start of the elements that meet the condition, found by binary search. None before it may meet the
    /// condition, and all after it must.
    func partitioningIndex(where condition: (Element) -> Bool) -> Index {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = index(range.lowerBound, offsetBy: distance(from: range.lowerBound, to: range.upperBound) / 2)
            range = condition(self[middle]) ? range.lowerBound..<middle : index(after: middle)..<range.upperBound
        }
        return range.lowerBound
    }
}

import PouchEntities

/// An inverted index in memory.
///
/// A word of the text matches a word of a document that begins with it, or that differs from it by a small typo. The
/// score of a document is the sum, over the words of the text, of the best match: its quality times the weight of its
/// field. A match with a typo never outweighs one without.
package struct WordIndex: Sendable {
    /// A document that has a word, and the weight of the field that has it.
    private struct Posting {
        let document: Int
        var weight: Int
    }

    /// Further words of a text are ignored, since each costs a search through the dictionary.
    static let mostWords = 6
    /// Longer words must match without typos.
    static let longestWithTypos = 32

    private let documentCount: Int
    private let dictionary: WordDictionary
    /// By word: the start of its postings, which end where the next ones start.
    private let starts: [Int]
    private let postings: [Posting]

    package init(_ documents: [SearchDocument]) {
        documentCount = documents.count
        var numbers: [String: Int] = [:]
        var words: [String] = []
        var found: [(word: Int, posting: Posting)] = []
        var lastFound: [Int] = []
        for (document, content) in documents.enumerated() {
            for text in content.texts {
                let weight = Self.weight(text.field)
                for word in Self.words(in: text.text) {
                    guard let number = numbers[word] else {
                        numbers[word] = words.count
                        words.append(word)
                        lastFound.append(found.count)
                        found.append((words.count - 1, Posting(document: document, weight: weight)))
                        continue
                    }
                    let last = lastFound[number]
                    if found[last].posting.document == document {
                        found[last].posting.weight = max(found[last].posting.weight, weight)
                    } else {
                        lastFound[number] = found.count
                        found.append((number, Posting(document: document, weight: weight)))
                    }
                }
            }
        }

        let letters = words.map { Array($0.unicodeScalars) }
        let sorted = letters.indices.sorted { letters[$0].lexicographicallyPrecedes(letters[$1]) }
        dictionary = WordDictionary(sorted: sorted.map { letters[$0] })
        var ranks = [Int](repeating: 0, count: words.count)
        for (rank, number) in sorted.enumerated() { ranks[number] = rank }

        var starts = [Int](repeating: 0, count: words.count + 1)
        for entry in found { starts[ranks[entry.word] + 1] += 1 }
        for rank in words.indices { starts[rank + 1] += starts[rank] }
        self.starts = starts
        var places = starts
        var postings = found.map(\.posting)
        for entry in found {
            postings[places[ranks[entry.word]]] = entry.posting
            places[ranks[entry.word]] += 1
        }
        self.postings = postings
    }

    /// The documents that match every word of the text, in any order; none for a text without words.
    package func matches(_ text: String) -> [SearchMatch] {
        var words: [String] = []
        for word in Self.words(in: text) where words.count < Self.mostWords && !words.contains(word) {
            words.append(word)
        }
        guard let first = words.first else { return [] }
        var totals = scores(Array(first.unicodeScalars))
        for word in words.dropFirst() {
            // Every word costs a search for typos.
            guard totals.contains(where: { $0 > 0 }) else { return [] }
            for (document, score) in scores(Array(word.unicodeScalars)).enumerated() where totals[document] > 0 {
                totals[document] = score > 0 ? totals[document] + score : 0
            }
        }
        return totals.enumerated().filter { $0.element > 0 }.map { SearchMatch(document: $0.offset, score: $0.element) }
    }

    /// The words of a text in the form in which the index compares them.
    package static func words(in text: String) -> [String] { FoldedText.words(in: text) }

    /// A text in the form by which names are sorted: in lower case, without accents.
    package static func sortKey(_ text: String) -> String { FoldedText.fold(text) }

    /// By document: the score of its best match with one word, 0 without a match.
    private func scores(_ word: [Unicode.Scalar]) -> [Int] {
        var best = [Int](repeating: 0, count: documentCount)
        func add(_ match: Int, quality: Int) {
            for posting in postings[starts[match]..<starts[match + 1]] {
                best[posting.document] = max(best[posting.document], quality * posting.weight)
            }
        }
        for match in dictionary.words(startingWith: word) {
            add(match, quality: Self.quality(ofPrefix: word.count, in: dictionary[match].count))
        }
        let typos = Self.typos(in: word)
        if typos > 0 {
            for match in dictionary.words(within: typos, of: word) {
                add(match.word, quality: Self.quality(ofTypos: match.edits))
            }
        }
        return best
    }

    /// The number of typos allowed in a word: 1 from 4 letters, 2 from 8, none in numbers and codes.
    static func typos(in word: [Unicode.Scalar]) -> Int {
        guard word.count <= longestWithTypos, word.allSatisfy({ $0.properties.numericType == nil }) else { return 0 }
        return word.count < 4 ? 0 : word.count < 8 ? 1 : 2
    }

    /// 1000 for the whole word, else 600 to 900 by the part that matches.
    private static func quality(ofPrefix length: Int, in whole: Int) -> Int {
        length == whole ? 1000 : 600 + 300 * length / whole
    }

    private static func quality(ofTypos edits: Int) -> Int { edits == 1 ? 120 : 60 }

    /// 4...16; the spread is smaller than that between a prefix and a typo.
    private static func weight(_ field: SearchDocument.Field) -> Int {
        switch field {
        case .name, .styleCode: 16
        case .category: 10
        case .tag, .option: 8
        case .season, .theme, .material: 6
        case .description: 4
        }
    }
}

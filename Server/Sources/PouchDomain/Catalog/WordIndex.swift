import PouchEntities

/// An inverted index in memory.
///
/// A word of the text matches a word of a document that begins with it, or that differs by a small typo. The score of a
/// document is the sum of the best match of each word of the text: its quality times the weight of its field. A match
/// with a typo never outweighs one without.
package struct WordIndex: Sendable {
    /// A document that contains a word, and the weight of the field that contains it.
    private struct Posting {
        private let value: UInt32

        /// - Parameter weight: at most 255.
        init(document: Int, weight: Int) {
            value = UInt32(document) << 8 | UInt32(weight)
        }

        var document: Int { Int(value >> 8) }
        var weight: Int { Int(value & 0xFF) }
    }

    /// The maximum number of words of a text; further words are ignored, since each costs a search through the
    /// dictionary.
    static let maxWords = 6
    /// The maximum length of words with typos; longer words must match exactly.
    static let longestWithTypos = 32

    private let documentCount: Int
    private let dictionary: WordDictionary
    /// By word, the start of its postings, which end where the next ones start.
    private let starts: [Int32]
    private let postings: [Posting]

    /// - Parameter documents: at most 16 million.
    package init(_ documents: some Sequence<SearchDocument>) {
        var numbers: [String: Int] = [:]
        var words: [String] = []
        var found: [(word: Int32, posting: Posting)] = []
        var documentCount = 0
        var lastFound: [Int] = []
        for (document, content) in documents.enumerated() {
            documentCount += 1
            for text in content.texts {
                let weight = Self.weight(text.field)
                for word in FoldedText.indexWords(in: text.text) {
                    guard let number = numbers[word] else {
                        numbers[word] = words.count
                        words.append(word)
                        lastFound.append(found.count)
                        found.append((Int32(words.count - 1), Posting(document: document, weight: weight)))
                        continue
                    }
                    let last = lastFound[number]
                    if found[last].posting.document == document {
                        let most = max(found[last].posting.weight, weight)
                        found[last].posting = Posting(document: document, weight: most)
                    } else {
                        lastFound[number] = found.count
                        found.append((Int32(number), Posting(document: document, weight: weight)))
                    }
                }
            }
        }
        self.documentCount = documentCount

        let letters = words.map { Array($0.unicodeScalars) }
        let sorted = letters.indices.sorted { letters[$0].lexicographicallyPrecedes(letters[$1]) }
        dictionary = WordDictionary(sorted: sorted.map { letters[$0] })
        var ranks = [Int](repeating: 0, count: words.count)
        for (rank, number) in sorted.enumerated() { ranks[number] = rank }

        var starts = [Int32](repeating: 0, count: words.count + 1)
        for entry in found { starts[ranks[Int(entry.word)] + 1] += 1 }
        for rank in words.indices { starts[rank + 1] += starts[rank] }
        self.starts = starts
        var places = starts
        var postings = found.map(\.posting)
        for entry in found {
            let rank = ranks[Int(entry.word)]
            postings[Int(places[rank])] = entry.posting
            places[rank] += 1
        }
        self.postings = postings
    }

    /// The documents that match every word of the text, in any order; none for a text without words.
    package func matches(_ text: String) -> [SearchMatch] {
        var words: [String] = []
        for word in Self.words(in: text) where words.count < Self.maxWords && !words.contains(word) {
            words.append(word)
        }
        guard let first = words.first else { return [] }
        var totals = scores(Array(first.unicodeScalars))
        for word in words.dropFirst() {
            // Every further word would cost a search for typos.
            guard totals.contains(where: { $0 > 0 }) else { return [] }
            for (document, score) in scores(Array(word.unicodeScalars)).enumerated() where totals[document] > 0 {
                totals[document] = score > 0 ? totals[document] + score : 0
            }
        }
        return totals.enumerated().filter { $0.element > 0 }.map { SearchMatch(document: $0.offset, score: $0.element) }
    }

    /// The words of a text in the form in which the index compares them.
    package static func words(in text: String) -> [String] { FoldedText.searchWords(in: text) }

    /// A text in the form by which names are sorted: in lower case, without accents.
    package static func sortKey(_ text: String) -> String { FoldedText.fold(text) }

    /// By document, the score of its best match with one word; 0 without a match.
    private func scores(_ word: [Unicode.Scalar]) -> [Int] {
        var best = [Int](repeating: 0, count: documentCount)
        func add(_ match: Int, quality: Int) {
            for posting in postings[Int(starts[match])..<Int(starts[match + 1])] {
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

    /// 1000 for the whole word, otherwise 600 to 900, depending on the part that matches.
    private static func quality(ofPrefix length: Int, in whole: Int) -> Int {
        length == whole ? 1000 : 600 + 300 * length / whole
    }

    private static func quality(ofTypos edits: Int) -> Int { edits == 1 ? 120 : 60 }

    /// 4 to 16; the spread is smaller than that between a prefix and a typo.
    private static func weight(_ field: SearchDocument.Field) -> Int {
        switch field {
        case .name, .styleCode: 16
        case .category: 10
        case .tag, .option, .sku: 8
        case .season, .theme, .material: 6
        case .description: 4
        }
    }
}

/// The searchable texts of a product or place.
package struct SearchDocument: Sendable {
    /// The origin of a text, by decreasing weight.
    package enum Field: Sendable {
        case name, styleCode, category, tag, option, sku, season, theme, material, description
    }

    package struct Text: Sendable {
        let field: Field
        let text: String

        package init(_ field: Field, _ text: String) {
            self.field = field
            self.text = text
        }
    }

    let texts: [Text]

    package init(texts: [Text]) {
        self.texts = texts
    }

    /// One document for each product, in order; created one at a time.
    static func all(_ products: ProductTable, _ taxonomy: CatalogTaxonomy) -> some Sequence<SearchDocument> {
        let seasons = taxonomy.seasons.byKey { ($0.id, $0.name) }
        let themes = taxonomy.themes.byKey { ($0.id, $0.name) }
        return products.heads.indices.lazy.map { number in
            let product = products.heads[number]
            var texts: [Text] = []
            func add(_ field: Field, _ text: String?) {
                if let text { texts.append(Text(field, text)) }
            }
            add(.name, product.name)
            add(.category, taxonomy.categoryNames[product.category] ?? product.category)
            add(.styleCode, product.styleCode)
            for tag in product.tags { add(.tag, tag) }
            for option in product.options { for value in option.values { add(.option, value) } }
            for variant in products.variants(of: number) { add(.sku, products.skus[variant]) }
            add(.season, product.seasonId.flatMap { seasons[$0] })
            add(.theme, product.themeId.flatMap { themes[$0] })
            for material in product.materials ?? [] { add(.material, material) }
            add(.description, product.description)
            return SearchDocument(texts: texts)
        }
    }
}

/// A document that a search found.
package struct SearchMatch: Sendable, Equatable {
    /// The index of the document.
    package let document: Int
    /// Above 0; higher is better. Depends only on the documents and the text.
    package let score: Int

    package init(document: Int, score: Int) {
        self.document = document
        self.score = score
    }
}

// MARK: - Words

/// All words of an index, sorted by their letters and numbered in that order.
struct WordDictionary: Sendable {
    typealias Letters = ArraySlice<Unicode.Scalar>

    /// All words, concatenated.
    private let letters: [Unicode.Scalar]
    private let starts: [Int32]
    /// By word, the number of letters it shares with the previous one.
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
    /// kept, and words with a prefix that is already too different are skipped.
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

    /// Fills the row of the distance table for the first `row` letters. Returns the minimum distance in it; no longer
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
    /// The start of the elements that meet the condition, found by binary search. All elements before it must fail the
    /// condition, and all after it must meet it.
    func partitioningIndex(where condition: (Element) -> Bool) -> Index {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = index(range.lowerBound, offsetBy: distance(from: range.lowerBound, to: range.upperBound) / 2)
            range = condition(self[middle]) ? range.lowerBound..<middle : index(after: middle)..<range.upperBound
        }
        return range.lowerBound
    }
}

import PouchDomain
import PouchEntities

/// Searches places by the words of their names and by distance.
public struct PlaceSearch: Sendable {
    /// The places in the order of their names.
    private let places: [NamedLocation]
    private let names: [[String]]
    private let words: WordIndex

    public init(_ places: [NamedLocation]) {
        let named = places.map { (place: $0, foldedName: WordIndex.sortKey($0.name)) }
        self.places = named.sorted { ($0.foldedName, $0.place.name) < ($1.foldedName, $1.place.name) }.map(\.place)
        names = self.places.map { WordIndex.words(in: $0.name) }
        words = WordIndex(self.places.map { SearchDocument(texts: [.init(.name, $0.name)]) })
    }

    /// The places whose names match every word of a text, by a word that is equal, begins with it, or differs by a
    /// small typo. All places for nil or blank text; none for text without words.
    ///
    /// Names with exactly these words come first, then better matches, then nearer places, then names that begin with
    /// the first word, then names in order. The same text and point give the same list, so that its pages fit together.
    ///
    /// - Parameter point: nil to ignore distances.
    public func places(matching text: String?, near point: GeoPoint?) -> [NamedLocation] {
        let matches =
            if let text, !text.allSatisfy(\.isWhitespace) {
                words.matches(text)
            } else {
                places.indices.map { SearchMatch(document: $0, score: 0) }
            }
        let wanted = text.map(WordIndex.words)
        // Places are numbered by name, which breaks ties.
        return matches.map { match in
            (
                document: match.document, score: names[match.document] == wanted ? .max : match.score,
                distance: point?.distance(to: places[match.document].location) ?? 0,
                rank: begins(names[match.document], wanted) ? 0 : 1
            )
        }
        .sorted { ($1.score, $0.distance, $0.rank, $0.document) < ($0.score, $1.distance, $1.rank, $1.document) }
        .map { places[$0.document] }
    }

    private func begins(_ name: [String], _ wanted: [String]?) -> Bool {
        guard let first = name.first, let wanted = wanted?.first else { return false }
        return first.hasPrefix(wanted)
    }
}

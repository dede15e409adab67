import PouchDomain
import PouchEntities

/// Popular places in and around Sydney.
public enum Gazetteer {
    /// The places sorted by name, each name once. A large place is located at its station or centre.
    public static let sydney: [NamedLocation] = places.map { name, latitude, longitude in
        NamedLocation(name: name, location: GeoPoint(latitude: latitude, longitude: longitude))
    }

    /// The places with their coordinates in degrees (WGS 84).
    private static let places: [(name: String, latitude: Double, longitude: Double)] = [
        ("Art Gallery of New South Wales", -33.8688, 151.2174),
        ("Ashfield", -33.8878, 151.1258),
        ("Auburn", -33.8492, 151.0328),
        ("Australian Museum", -33.8743, 151.2130),
        ("Balmain", -33.8574, 151.1790),
        ("Balmoral Beach", -33.8275, 151.2520),
        ("Bankstown", -33.9179, 151.0346),
        ("Barangaroo", -33.8615, 151.2015),
        ("Blackheath", -33.6333, 150.2841),
        ("Blacktown", -33.7691, 150.9096),
        ("Bondi Beach", -33.8908, 151.2743),
        ("Bondi Junction", -33.8912, 151.2475),
        ("Bowral", -34.4782, 150.4170),
        ("Brighton-Le-Sands", -33.9610, 151.1550),
        ("Bronte Beach", -33.9037, 151.2685),
        ("Brooklyn", -33.5470, 151.2265),
        ("Brookvale", -33.7666, 151.2735),
        ("Bundeena", -34.0840, 151.1505),
        ("Burwood", -33.8771, 151.1040),
        ("Cabramatta", -33.8949, 150.9388),
        ("Camden", -34.0544, 150.6958),
        ("Campbelltown", -34.0638, 150.8143),
        ("Carriageworks", -33.8943, 151.1920),
        ("Castle Hill", -33.7320, 151.0057),
        ("Centennial Park", -33.8975, 151.2339),
        ("Central Station", -33.8835, 151.2063),
        ("Chatswood", -33.7977, 151.1809),
        ("Chinatown", -33.8795, 151.2040),
        ("Circular Quay", -33.8614, 151.2108),
        ("Clovelly Beach", -33.9140, 151.2670),
        ("Cockatoo Island", -33.8474, 151.1711),
        ("Coogee Beach", -33.9205, 151.2577),
        ("Cremorne Point Wharf", -33.8482, 151.2300),
        ("Cronulla", -34.0558, 151.1515),
        ("Crows Nest", -33.8262, 151.2010),
        ("Darling Harbour", -33.8733, 151.2000),
        ("Darlinghurst", -33.8795, 151.2185),
        ("Dee Why Beach", -33.7535, 151.2962),
        ("Double Bay", -33.8785, 151.2430),
        ("Echo Point", -33.7320, 150.3120),
        ("Epping", -33.7727, 151.0822),
        ("Fairfield", -33.8724, 150.9570),
        ("Featherdale Wildlife Park", -33.7664, 150.8845),
        ("Glebe", -33.8800, 151.1865),
        ("Gosford", -33.4235, 151.3412),
        ("Granville", -33.8332, 151.0125),
        ("Green Square", -33.9062, 151.2025),
        ("Hornsby", -33.7029, 151.0985),
        ("Hurstville", -33.9674, 151.1024),
        ("Hyde Park", -33.8730, 151.2114),
        ("Jenolan Caves", -33.8200, 150.0217),
        ("Katoomba", -33.7117, 150.3109),
        ("Kiama", -34.6723, 150.8548),
        ("Kings Cross", -33.8748, 151.2223),
        ("Kirribilli", -33.8470, 151.2150),
        ("Kogarah", -33.9622, 151.1326),
        ("La Perouse", -33.9885, 151.2320),
        ("Lakemba", -33.9201, 151.0760),
        ("Lane Cove", -33.8147, 151.1690),
        ("Leichhardt", -33.8837, 151.1570),
        ("Leura", -33.7122, 150.3309),
        ("Lidcombe", -33.8638, 151.0451),
        ("Lithgow", -33.4804, 150.1578),
        ("Liverpool", -33.9250, 150.9271),
        ("Luna Park", -33.8477, 151.2100),
        ("Macquarie Centre", -33.7768, 151.1205),
        ("Macquarie University", -33.7738, 151.1126),
        ("Manly Beach", -33.7970, 151.2885),
        ("Manly Wharf", -33.8002, 151.2838),
        ("Maroubra Beach", -33.9498, 151.2565),
        ("Marrickville", -33.9143, 151.1548),
        ("Martin Place", -33.8679, 151.2105),
        ("Mascot", -33.9230, 151.1874),
        ("Milsons Point", -33.8459, 151.2118),
        ("Miranda", -34.0363, 151.1025),
        ("Mona Vale", -33.6773, 151.3020),
        ("Mosman", -33.8291, 151.2441),
        ("Mount Druitt", -33.7696, 150.8199),
        ("Mrs Macquarie’s Chair", -33.8595, 151.2225),
        ("Museum of Contemporary Art", -33.8599, 151.2090),
        ("Newtown", -33.8979, 151.1796),
        ("North Sydney", -33.8411, 151.2070),
        ("Olympic Park", -33.8466, 151.0693),
        ("Overseas Passenger Terminal", -33.8580, 151.2100),
        ("Paddington", -33.8848, 151.2267),
        ("Palm Beach", -33.5990, 151.3235),
        ("Parramatta", -33.8174, 151.0052),
        ("Parramatta Wharf", -33.8133, 151.0105),
        ("Penrith", -33.7500, 150.6963),
        ("Prince of Wales Hospital", -33.9185, 151.2390),
        ("Pyrmont", -33.8697, 151.1945),
        ("Queen Victoria Building", -33.8717, 151.2067),
        ("Randwick Racecourse", -33.9100, 151.2290),
        ("Redfern", -33.8922, 151.1984),
        ("Rhodes", -33.8306, 151.0870),
        ("Richmond", -33.5990, 150.7525),
        ("Rockdale", -33.9519, 151.1369),
        ("Rose Bay Wharf", -33.8710, 151.2655),
        ("Rosehill Gardens", -33.8240, 151.0235),
        ("Rouse Hill Town Centre", -33.6915, 150.9245),
        ("Royal Botanic Garden", -33.8642, 151.2166),
        ("Royal North Shore Hospital", -33.8215, 151.1910),
        ("Royal Prince Alfred Hospital", -33.8890, 151.1825),
        ("Ryde", -33.8128, 151.1055),
        ("Scenic World", -33.7290, 150.3010),
        ("Sea Life Aquarium", -33.8695, 151.2021),
        ("Springwood", -33.6984, 150.5627),
        ("St George Hospital", -33.9675, 151.1340),
        ("St Leonards", -33.8224, 151.1942),
        ("St Marys", -33.7622, 150.7759),
        ("St Mary’s Cathedral", -33.8711, 151.2133),
        ("St Vincent’s Hospital", -33.8800, 151.2205),
        ("Stanwell Park", -34.2265, 150.9810),
        ("State Library", -33.8664, 151.2128),
        ("Strathfield", -33.8718, 151.0943),
        ("Surry Hills", -33.8870, 151.2120),
        ("Sutherland", -34.0319, 151.0571),
        ("Sydney Airport Domestic", -33.9341, 151.1828),
        ("Sydney Airport International", -33.9353, 151.1661),
        ("Sydney Cricket Ground", -33.8917, 151.2249),
        ("Sydney Fish Market", -33.8730, 151.1925),
        ("Sydney Harbour Bridge", -33.8523, 151.2108),
        ("Sydney Observatory", -33.8595, 151.2046),
        ("Sydney Opera House", -33.8568, 151.2153),
        ("Sydney Tower", -33.8705, 151.2090),
        ("Tamarama Beach", -33.9000, 151.2708),
        ("Taronga Zoo", -33.8433, 151.2411),
        ("Terrigal", -33.4475, 151.4440),
        ("The Rocks", -33.8592, 151.2086),
        ("Town Hall", -33.8738, 151.2067),
        ("University of New South Wales", -33.9173, 151.2313),
        ("University of Sydney", -33.8886, 151.1873),
        ("University of Technology Sydney", -33.8837, 151.2006),
        ("University of Wollongong", -34.4054, 150.8784),
        ("Watsons Bay", -33.8440, 151.2820),
        ("Wentworth Falls", -33.7141, 150.3809),
        ("Westmead Hospital", -33.8035, 150.9885),
        ("Windsor", -33.6139, 150.8110),
        ("Wollongong", -34.4276, 150.8881),
        ("Woolloomooloo", -33.8693, 151.2204),
        ("Woy Woy", -33.4870, 151.3220),
        ("Wynyard", -33.8660, 151.2057),
    ]
}

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

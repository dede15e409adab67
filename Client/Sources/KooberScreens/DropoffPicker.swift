import PouchEntities

/// Places to go to, the best match first.
public struct DropoffPicker: Hashable, Sendable {
    /// What was searched for last; empty for the places near by.
    public var query: String
    public var results: [NamedLocation]
    public var isSearching: Bool

    public init(query: String = "", results: [NamedLocation] = [], isSearching: Bool = false) {
        self.query = query
        self.results = results
        self.isSearching = isSearching
    }
}

import PouchEntities

/// Places to go to, of which one search at most is waited for.
public struct DropoffLocationPickerState: Equatable, Sendable {
    public internal(set) var query = ""
    /// Of the last search that was answered.
    public internal(set) var results: [NamedLocation] = []
    /// Whose answer alone counts.
    public internal(set) var search: SerialNumber?
    public internal(set) var errors: [ErrorToPresent] = []

    init(search: SerialNumber) {
        self.search = search
    }
}

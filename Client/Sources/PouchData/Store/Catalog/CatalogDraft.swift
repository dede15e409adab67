/// Stands for a catalogue that is being imported.
public struct CatalogDraft: Sendable, Hashable {
    /// The store's own number of it.
    public let number: Int64

    public init(number: Int64) {
        self.number = number
    }
}

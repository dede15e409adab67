/// Finds products by words of their texts.
public protocol CatalogSearch: Sendable {
    /// The products that match every word of the text, each once, in any order; none for a text without words.
    func matches(_ text: String) -> [SearchMatch]
}

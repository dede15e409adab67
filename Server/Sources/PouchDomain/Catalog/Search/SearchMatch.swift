/// A document that a search found.
public struct SearchMatch: Sendable, Equatable {
    /// Its place among those that the search was made from.
    public let document: Int
    /// Above 0; higher is better. Depends on nothing but the documents and the text.
    public let score: Int

    public init(document: Int, score: Int) {
        self.document = document
        self.score = score
    }
}

/// A product that a search found.
public struct SearchMatch: Sendable, Equatable {
    /// The place of its document among those that the search was made from.
    public let product: Int
    /// Above 0; higher is better. Depends on nothing but the documents and the text.
    public let score: Int

    public init(product: Int, score: Int) {
        self.product = product
        self.score = score
    }
}

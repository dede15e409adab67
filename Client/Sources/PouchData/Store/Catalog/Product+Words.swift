import PouchEntities
import PouchFeed

/// What searching and sorting see of a product, folded as on the server.
extension Product {
    package var foldedName: String { FoldedText.fold(name) }

    package var nameWords: [String] { FoldedText.words(in: name) }

    /// Of the texts beside the name in which a search looks.
    package var otherWords: [String] {
        var texts = [styleCode, description, category, careInstructions].compactMap { $0 } + tags
        texts += materials ?? []
        for option in options { texts += option.values }
        return FoldedText.words(in: texts.joined(separator: " "))
    }
}

import PouchEntities

extension Product {
    /// The texts beside the name in which a search looks.
    package var searchTexts: String {
        var texts = [styleCode, description, category, careInstructions].compactMap { $0 } + tags
        texts += materials ?? []
        for option in options { texts += option.values }
        return texts.joined(separator: " ")
    }
}

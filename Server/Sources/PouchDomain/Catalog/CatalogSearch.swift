import PouchEntities

/// Finds products by words of their texts.
public protocol CatalogSearch: Sendable {
    /// The products that match every word of the text, in any order; none for a text without words.
    func matches(_ text: String) -> [SearchMatch]
}

/// A document that a search found.
public struct SearchMatch: Sendable, Equatable {
    /// The index of the document.
    public let document: Int
    /// Above 0; higher is better. Depends only on the documents and the text.
    public let score: Int

    public init(document: Int, score: Int) {
        self.document = document
        self.score = score
    }
}

/// The searchable texts of a product or place.
public struct SearchDocument: Sendable {
    /// The origin of a text, by decreasing weight.
    public enum Field: Sendable, CaseIterable {
        case name, styleCode, category, tag, option, season, theme, material, description
    }

    public struct Text: Sendable {
        public let field: Field
        public let text: String

        package init(field: Field, text: String) {
            self.field = field
            self.text = text
        }
    }

    public let texts: [Text]

    package init(texts: [Text]) {
        self.texts = texts
    }

    /// One document for each product of the content, in its order.
    static func all(_ content: CatalogContent) -> [SearchDocument] {
        let seasons = Dictionary(content.seasons.map { ($0.id, $0.name) }) { first, _ in first }
        let themes = Dictionary(content.themes.map { ($0.id, $0.name) }) { first, _ in first }
        return content.products.map { product in
            var texts = [
                Text(field: .name, text: product.name),
                Text(field: .category, text: content.categoryNames[product.category] ?? product.category),
            ]
            func add(_ field: Field, _ text: String?) {
                if let text { texts.append(Text(field: field, text: text)) }
            }
            add(.styleCode, product.styleCode)
            for tag in product.tags { add(.tag, tag) }
            for option in product.options { for value in option.values { add(.option, value) } }
            add(.season, product.seasonId.flatMap { seasons[$0] })
            add(.theme, product.themeId.flatMap { themes[$0] })
            for material in product.materials ?? [] { add(.material, material) }
            add(.description, product.description)
            return SearchDocument(texts: texts)
        }
    }
}

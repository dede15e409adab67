import PouchEntities

/// A document that a search found, by its index. The score is above 0, and higher is better; it depends only on the
/// documents and the text.
package typealias SearchMatch = (document: Int, score: Int)

/// The searchable texts of a product or place.
package struct SearchDocument: Sendable {
    /// The origin of a text, by decreasing weight.
    package enum Field: Sendable {
        case name, styleCode, category, tag, option, season, theme, material, description
    }

    package typealias Text = (field: Field, text: String)

    let texts: [Text]

    package init(texts: [Text]) {
        self.texts = texts
    }

    /// One document for each product of the content, in its order.
    static func all(_ content: CatalogContent) -> [SearchDocument] {
        let seasons = content.seasons.byKey { ($0.id, $0.name) }
        let themes = content.themes.byKey { ($0.id, $0.name) }
        return content.products.map { product in
            var texts: [Text] = []
            func add(_ field: Field, _ text: String?) {
                if let text { texts.append((field, text)) }
            }
            add(.name, product.name)
            add(.category, content.categoryNames[product.category] ?? product.category)
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

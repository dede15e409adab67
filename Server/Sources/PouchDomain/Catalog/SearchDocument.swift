import PouchEntities

/// The searchable texts of a product or place.
package struct SearchDocument: Sendable {
    /// The origin of a text, by decreasing weight.
    package enum Field: Sendable {
        case name, styleCode, category, tag, option, season, theme, material, description
    }

    package struct Text: Sendable {
        let field: Field
        let text: String

        package init(_ field: Field, _ text: String) {
            self.field = field
            self.text = text
        }
    }

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
                if let text { texts.append(Text(field, text)) }
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

/// A document that a search found.
package struct SearchMatch: Sendable, Equatable {
    /// The index of the document.
    package let document: Int
    /// Above 0; higher is better. Depends only on the documents and the text.
    package let score: Int

    package init(document: Int, score: Int) {
        self.document = document
        self.score = score
    }
}

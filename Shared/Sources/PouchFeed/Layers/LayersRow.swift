/// A row of a LAYERS feed that could be decoded, with the line on which it begins.
public struct LayersRow: Sendable {
    enum Content: Sendable {
        case season(LayersSeasonRow)
        case product(LayersProductRow)
        case slide(LayersSlideRow)
    }

    let line: Int
    let content: Content

    var file: LayersFile {
        switch content {
        case .season: .seasons
        case .product: .products
        case .slide: .slides
        }
    }
}

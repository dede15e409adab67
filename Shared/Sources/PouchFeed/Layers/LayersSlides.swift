/// Makes promotions of the rows of `slides.json`.
struct LayersSlides: Sendable {
    private let images: (any LayersImages)?
    private var position = 0

    init(images: (any LayersImages)?) {
        self.images = images
    }

    mutating func records(of row: LayersSlideRow, line: Int) throws(FeedRowError) -> [FeedRecord] {
        guard !row.style.isEmpty else {
            throw FeedRowError(line: line, field: "style", code: .required, detail: "the style code is empty")
        }
        var pictures = LayersPictures(finder: images, line: line, alt: row.name?.singleLine ?? "")
        let named = [("promoImage", row.promoImage), ("gridImage", row.gridImage), ("images", row.images?.first)]
        let image = named.lazy.compactMap { field, name in
            name.flatMap { $0.isEmpty ? nil : (field: field, name: $0) }
        }.first.flatMap { pictures.find($0.name, .slides, $0.field) }
        defer { position += 1 }
        return pictures.errors.map(FeedRecord.bad) + pictures.assets.map(FeedRecord.asset)
            + [.promotion(FeedPromotion(line: line, styleCode: row.style, image: image, position: position))]
    }
}

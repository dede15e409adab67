import PouchEntities

/// The images that one row names, as far as there are files for them.
struct LayersPictures {
    private let finder: LayersImages
    private let line: Int
    private let alt: String
    private(set) var assets: [FeedAsset] = []
    private(set) var errors: [FeedRowError] = []

    init(finder: LayersImages, line: Int, alt: String) {
        self.finder = finder
        self.line = line
        self.alt = alt
    }

    /// The picture for lists first, then the others, each once.
    ///
    /// - Returns: nil when the row names none, or only such as have no file: then the catalogue keeps what it has.
    mutating func gallery(grid: String?, images: [String]?) -> [ProductImage]? {
        guard grid != nil || images != nil else { return nil }
        let named = [(field: "gridImage", name: grid ?? "")] + (images ?? []).map { (field: "images", name: $0) }
        let wanted = named.filter { !$0.name.isEmpty }
        var pictures: [ProductImage] = []
        for (field, name) in wanted {
            if let picture = find(name, .products, field), !pictures.contains(picture) { pictures.append(picture) }
        }
        return pictures.isEmpty && !wanted.isEmpty ? nil : pictures
    }

    mutating func find(_ name: String, _ room: LayersImages.Room, _ field: String) -> ProductImage? {
        do throws(FeedRowError) {
            let asset = try finder.find(name, in: room, line: line, field: field)
            if !assets.contains(asset) { assets.append(asset) }
            return ProductImage(asset: asset, alt: alt)
        } catch {
            if !errors.contains(error) { errors.append(error) }
            return nil
        }
    }
}

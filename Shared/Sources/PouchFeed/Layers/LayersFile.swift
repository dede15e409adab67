/// The files of a LAYERS feed, in the order in which they are read: what others refer to comes first.
public enum LayersFile: String, Sendable, CaseIterable {
    case seasons = "seasons.json"
    case products = "products.json"
    case slides = "slides.json"

    /// The keys that lead to the array of rows.
    public var path: [String] {
        switch self {
        case .seasons: ["seasons"]
        case .products: ["products"]
        case .slides: []
        }
    }

    /// The same in one document of all three: the rows themselves, or the file as it is.
    public var pathsInDocument: [[String]] {
        let name = String(rawValue.prefix { $0 != "." })
        return [[name], [name] + path]
    }

    public var isRequired: Bool { self == .products }
}

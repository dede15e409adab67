/// The files of a LAYERS feed.
public enum FeedPath: String, Sendable, Hashable, CaseIterable {
    case seasons = "seasons.json"
    case products = "products.json"
    /// What the shop shows first.
    case slides = "slides.json"
}

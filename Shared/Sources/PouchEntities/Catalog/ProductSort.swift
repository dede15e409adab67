/// The order of a list of products. Products that are equal in it are ordered by id, so that it is total.
public enum ProductSort: String, Codable, Sendable, CaseIterable {
    /// Latest first, by when a product first came into the catalogue.
    case newest
    case priceAscending
    case priceDescending
    /// By the name, without regard to case and accents.
    case name
    /// Best match first; needs a search text, and is the default with one.
    case relevance
}

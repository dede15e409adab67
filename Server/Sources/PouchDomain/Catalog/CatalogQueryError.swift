/// Why a page of products cannot be given.
public enum CatalogQueryError: Error, Equatable {
    /// The position is one in the order of relevance of another version of the catalogue.
    case positionExpired
    /// The position was made for other filters or another sort.
    case positionMismatch
}

import PouchCoordination
import PouchEntities

/// What a screen may ask of whoever shows the catalogue.
@MainActor
public protocol CatalogMessages {
    func showProduct(handle: String) async throws
}

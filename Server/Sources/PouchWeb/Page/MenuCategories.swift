import PouchDomain
import PouchEntities
import Synchronization

/// The categories of the header's menu. The catalogue counts the products of each again at every call, and pages that
/// are made for one visitor have the menu too, so the categories are kept until the catalogue changes.
final class MenuCategories: Sendable {
    private struct Kept {
        let serial: Int
        let categories: [PouchEntities.Category]
    }

    private let kept = Mutex<Kept?>(nil)

    func all(of catalog: CatalogSnapshot) -> [PouchEntities.Category] {
        let serial = catalog.serial
        if let kept = kept.withLock({ $0 }), kept.serial == serial { return kept.categories }
        let categories = catalog.categories(season: nil)
        kept.withLock { $0 = Kept(serial: serial, categories: categories) }
        return categories
    }
}

import PouchClient
import PouchScreens

extension Notice {
    init(_ error: DataError) {
        self.init(Self.sentences(error))
    }

    /// An edit to the cart that was accepted while the shop could not be reached, and that the shop did not do.
    init(_ edit: CartEdit, refusedWith error: DataError) {
        let what =
            switch edit {
            case .add(let sku, let quantity): "\(quantity) of \(sku) could not be added to the cart."
            case .set(let sku, let quantity): "The cart could not have \(quantity) of \(sku)."
            case .remove(let sku): "\(sku) could not be taken out of the cart."
            case .clear: "The cart could not be emptied."
            }
        self.init(what + " " + Self.sentences(error))
    }

    private static func sentences(_ error: DataError) -> String {
        [error.errorDescription, error.recoverySuggestion].compactMap(\.self).joined(separator: " ")
    }
}

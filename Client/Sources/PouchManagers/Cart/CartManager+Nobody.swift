import PouchData
import PouchEntities

/// The cart of nobody, which is nowhere but here.
extension CartManager {
    /// Puts what a line is to be in the place of all that was done to it. So nothing is pending but additions, which go over
    /// to any session, also to an account whose cart has lines already.
    ///
    /// - Parameter cart: what comes of the edit.
    func fold(_ entry: Entry, into cart: Cart) async throws(DataError) {
        let edit = entry.pending.edit
        let earlier = queue.filter { $0.isShown && (edit == .clear || $0.pending.edit.sku == edit.sku) }
        var sum: Entry?
        if case .set(let sku, let quantity) = edit, quantity > 0 {
            sum = Entry(
                pending: try data.prepare(.add(sku: sku, quantity: quantity), of: UserSession.nobody), isKept: true,
                isShown: true, product: earlier.lazy.compactMap(\.product).first ?? entry.product)
        }
        try await data.replace(earlier.map(\.pending), of: UserSession.nobody, with: sum?.pending)
        // Somebody may have come meanwhile, or its caller given up.
        guard let place = queue.firstIndex(where: { $0.key == entry.key }) else { return }
        queue.replaceSubrange(place...place, with: sum.map { [$0] } ?? [])
        queue.removeAll { old in earlier.contains { $0.key == old.key } }
        // Without a line it is known to be empty.
        base = base ?? KnownCart(.empty(in: cart.totals.items.currency), asOf: nil)
        show()
        waiting.removeValue(forKey: entry.key)?.resume(returning: .success(cart))
    }
}

extension CartEdit {
    var adds: Bool { if case .add = self { true } else { false } }
}

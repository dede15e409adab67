import PouchData
import PouchEntities

/// The cart of nobody, which is nowhere but here.
extension CartManager {
    /// Keeps and shows an edit. What a line is to be takes the place of all that was done to it, so that nothing is pending
    /// but additions, which go over to any session, also to an account whose cart has lines already.
    ///
    /// - Parameter cart: what comes of the edit.
    /// - Throws: where it could not be kept, or somebody has come; nothing has changed then.
    func keepForNobody(_ entry: Entry, in cart: Cart) async throws(DataError) {
        guard account.session == nil else { throw DataError(.sessionEnded) }
        let edit = entry.pending.edit
        let earlier = queue.filter { old in
            old.isShown && !edit.adds && (edit == .clear || old.pending.edit.sku == edit.sku)
        }
        var sum: Entry?
        switch edit {
        case .add: sum = entry
        case .set(let sku, let quantity) where quantity > 0:
            sum = Entry(
                pending: try data.prepare(.add(sku: sku, quantity: quantity), of: UserSession.nobody),
                product: earlier.lazy.compactMap(\.product).first ?? entry.product)
        case .set, .remove, .clear: break
        }
        sum?.isKept = true
        sum?.isShown = true
        let task = Task { [data, sum] () -> Result<Void, DataError> in
            defer { keeping = nil }
            do throws(DataError) {
                try await data.replace(earlier.map(\.pending), of: UserSession.nobody, with: sum?.pending)
            } catch {
                return .failure(error)
            }
            queue.removeAll { old in old.key == entry.key || earlier.contains { $0.key == old.key } }
            if let sum { queue.insert(sum, at: queue.firstIndex { !$0.isShown } ?? queue.endIndex) }
            // Without a line it is known to be empty.
            base = base ?? KnownCart(.empty(in: cart.totals.items.currency), asOf: nil)
            show()
            waiting.removeValue(forKey: entry.key)?.resume(returning: .success(cart))
            return .success(())
        }
        keeping = task
        try await task.value.get()
    }
}

extension CartEdit {
    fileprivate var adds: Bool { if case .add = self { true } else { false } }
}

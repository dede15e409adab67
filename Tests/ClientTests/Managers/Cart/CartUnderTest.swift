import PouchData
import PouchEntities
import PouchManagers

extension MemoryStore {
    /// A store that has seen these products.
    static func holding(_ products: [Product]) async -> MemoryStore {
        let store = MemoryStore()
        await store.merge(products)
        return store
    }
}

extension CartManager {
    /// The first state that the condition holds for.
    func state(where condition: (CartState) -> Bool) async -> CartState? {
        for await state in states() {
            if let state, condition(state) { return state }
        }
        return nil
    }

    /// The next thing that is told, which is to be the refusal of an edit.
    func nextRefusal() async -> (edit: CartEdit, reason: DataError.Reason)? {
        var updates = updates().makeAsyncIterator()
        guard case .refused(let edit, let error)? = await updates.next() else { return nil }
        return (edit, error.reason)
    }
}

extension Cart {
    /// Each line in a word, as `a 2`.
    var quantities: [String] { lines.map { "\($0.sku) \($0.quantity)" } }
}

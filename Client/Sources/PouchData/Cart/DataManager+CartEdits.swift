import Foundation
import PouchContract
import PouchEntities
import PouchService

/// Changes to a cart that are kept first and sent later, as often as it takes.
extension DataManager {
    /// Gives an edit its key and the bytes that every try sends. Nothing is kept yet.
    public func prepare(_ edit: CartEdit, of owner: String) throws(DataError) -> PendingCartEdit {
        let kind: PendingWrite.Kind
        switch edit {
        case .add: kind = .addCartLine
        case .set: kind = .setCartLine
        case .remove: kind = .removeCartLine
        case .clear: kind = .clearCart
        }
        let body =
            switch edit {
            case .add(let sku, let quantity): try encode(LineRequest(sku: sku, quantity: quantity))
            case .set(_, let quantity): try encode(QuantityRequest(quantity: quantity))
            case .remove, .clear: nil as Data?
            }
        let target = if case .add = edit { nil as String? } else { edit.sku }
        return PendingCartEdit(
            edit: edit,
            write: PendingWrite(
                key: makeKey(), owner: owner, kind: kind, target: target, body: body, createdAt: now()))
    }

    /// Keeps an edit in the store, behind those that are there.
    public func keep(_ edit: PendingCartEdit) async throws(DataError) {
        try await stored { () throws(StoreError) in try await store.add(edit.write) }
    }

    /// Keeps an edit that is about to be sent.
    ///
    /// - Parameter isKept: whether it is in the store already.
    /// - Returns: the edit as it is to be sent.
    /// - Throws: `.outcomeUnknown` for one that is not there any more: another process has sent it, or it went over to
    ///   another owner.
    public func keep(_ edit: PendingCartEdit, sending isKept: Bool) async throws(DataError) -> PendingCartEdit {
        let sent = edit.sent(at: now())
        let isThere = try await stored { () throws(StoreError) in
            guard isKept else {
                try await store.add(sent.write)
                return true
            }
            guard edit.write.firstSentAt == nil, let moment = sent.write.firstSentAt else { return true }
            return try await store.markSent(key: edit.write.key, of: edit.write.owner, at: moment)
        }
        guard isThere else { throw DataError(.outcomeUnknown) }
        return sent
    }

    /// Keeps an edit, or nothing, in the place of others that are kept, all of one owner.
    ///
    /// - Throws: `.sessionEnded` where some of those went over to another owner; nothing has changed then.
    public func replace(
        _ edits: [PendingCartEdit], of owner: String, with edit: PendingCartEdit?
    ) async throws(DataError) {
        let isDone = try await stored { () throws(StoreError) in
            try await store.replaceWrites(keys: Set(edits.map(\.id)), of: owner, with: edit?.write)
        }
        guard isDone else { throw DataError(.sessionEnded) }
    }

    /// Sends an edit that is kept, which is removed as soon as its outcome is known.
    ///
    /// - Parameter isRepeat: whether it may have been sent before.
    /// - Throws: `.outcomeUnknown` for one that is too old to be sent again.
    public func send(_ edit: PendingCartEdit, isRepeat: Bool) async throws(DataError) -> Cart {
        try await send(Cart.self, edit.write, isRepeat: isRepeat)
    }

    /// The owner's edits that are not confirmed, in their order.
    public func pendingCartEdits(of owner: String) async throws(DataError) -> [PendingCartEdit] {
        try await stored { () throws(StoreError) in try await store.pendingWrites(of: owner) }
            .compactMap(PendingCartEdit.init)
    }

    /// The cart as the server told it last; nil where it is not known.
    public func storedCart(of owner: String) async throws(DataError) -> KnownCart? {
        try await stored { () throws(StoreError) in try await store.cart(of: owner) }
    }

    /// - Parameter cart: nil forgets it.
    public func store(_ cart: KnownCart?, of owner: String) async throws(DataError) {
        try await stored { () throws(StoreError) in try await store.save(cart, of: owner) }
    }

    /// The product that has a variant with the SKU, as it is kept here.
    public func storedProduct(sku: String) async throws(DataError) -> Product? {
        try await stored { () throws(StoreError) in try await store.product(sku: sku) }
    }
}

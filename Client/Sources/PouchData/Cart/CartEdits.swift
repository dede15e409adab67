import Foundation
import PouchContract
import PouchEntities
import PouchJSON

/// A change to the lines of a cart, which is possible while the server cannot be reached.
public enum CartEdit: Sendable, Hashable {
    /// Adds a number of units in `ModelLimits.quantity`.
    case add(sku: String, quantity: Int)
    /// Sets the number of units, in `ModelLimits.quantity` or 0, which removes the line.
    case set(sku: String, quantity: Int)
    case remove(sku: String)
    case clear

    /// nil for an edit of the whole cart.
    public var sku: String? {
        switch self {
        case .add(let sku, _), .set(let sku, _), .remove(let sku): sku
        case .clear: nil
        }
    }
}

/// A cart edit that the server has not confirmed.
public struct PendingCartEdit: Sendable, Hashable, Identifiable {
    public let edit: CartEdit
    public let write: PendingWrite

    public var id: String { write.key }

    fileprivate init(edit: CartEdit, write: PendingWrite) {
        self.edit = edit
        self.write = write
    }

    /// The edit with another attempt.
    public func sent(at moment: Date) -> PendingCartEdit {
        PendingCartEdit(edit: edit, write: write.attempted(at: moment))
    }

    fileprivate init?(_ write: PendingWrite) {
        self.write = write
        switch write.kind {
        case .addCartLine:
            guard let line = write.body.flatMap({ try? LineRequest(json: $0) }) else {
                return nil
            }
            edit = .add(sku: line.sku, quantity: line.quantity)
        case .setCartLine:
            guard let sku = write.target,
                let line = write.body.flatMap({ try? QuantityRequest(json: $0) })
            else { return nil }
            edit = .set(sku: sku, quantity: line.quantity)
        case .removeCartLine:
            guard let sku = write.target else { return nil }
            edit = .remove(sku: sku)
        case .clearCart: edit = .clear
        default: return nil
        }
    }

    /// nil if the session does not adopt the edit. One that may have taken effect is not sent again for another owner.
    public func adopted(by session: UserSession) -> PendingCartEdit? {
        guard write.firstSentAt == nil, session.adoptedCartEdits.contains(write.kind) else { return nil }
        return PendingCartEdit(edit: edit, write: write.owned(by: session.owner))
    }
}

/// Cart edits are stored first and then sent, as often as necessary:
///
///     let edit = try data.prepare(.add(sku: sku, quantity: 1), of: owner)
///     let sent = try await data.markSent(edit, isStored: false)
///     let cart = try await data.send(sent)
extension DataManager {
    /// Creates the key of an edit and the bytes that every attempt sends, without storing the edit.
    public func prepare(_ edit: CartEdit, of owner: String) throws(DataError) -> PendingCartEdit {
        let (kind, target, body): (PendingWrite.Kind, String?, Data?) =
            switch edit {
            case .add(let sku, let quantity):
                (.addCartLine, nil, try encode(LineRequest(sku: sku, quantity: quantity)))
            case .set(let sku, let quantity): (.setCartLine, sku, try encode(QuantityRequest(quantity: quantity)))
            case .remove(let sku): (.removeCartLine, sku, nil)
            case .clear: (.clearCart, nil, nil)
            }
        return PendingCartEdit(
            edit: edit,
            write: PendingWrite(
                key: makeKey(), owner: owner, kind: kind, target: target, body: body, createdAt: now()))
    }

    /// Stores an edit after the owner's other edits.
    public func store(_ edit: PendingCartEdit) async throws(DataError) {
        try await mappingStoreErrors(await store.add(edit.write))
    }

    /// Stores that an edit is about to be sent, and returns the edit to send, which records whether another process may
    /// have sent it.
    ///
    /// - Parameter isStored: whether the edit is already in the store; otherwise it is added.
    /// - Throws: `.outcomeUnknown` if another process has settled the stored edit or another owner has adopted it.
    public func markSent(_ edit: PendingCartEdit, isStored: Bool) async throws(DataError) -> PendingCartEdit {
        let moment = now()
        let write = edit.write
        guard isStored else {
            let sent = try await mappingStoreErrors(await store.beginAttempt(of: write, at: moment, sentAfter: nil))
            return PendingCartEdit(edit: edit.edit, write: sent)
        }
        let sent = try await mappingStoreErrors(await store.beginAttempt(key: write.key, of: write.owner, at: moment))
        // An edit that was sent from here is sent again, which has no second effect.
        guard sent != nil || write.firstSentAt != nil else { throw DataError(.outcomeUnknown) }
        return PendingCartEdit(edit: edit.edit, write: sent ?? write.attempted(at: moment))
    }

    /// Replaces stored edits of one owner by another edit, or removes them, in one step. Throws `.sessionEnded`, and
    /// changes nothing, if another owner has adopted some of them.
    public func replace(
        _ edits: [PendingCartEdit], of owner: String, with edit: PendingCartEdit?
    ) async throws(DataError) {
        let isDone = try await mappingStoreErrors(
            await store.replaceWrites(keys: Set(edits.map(\.id)), of: owner, with: edit?.write))
        guard isDone else { throw DataError(.sessionEnded) }
    }

    /// Sends an edit that `markSent` returned. It is removed as soon as its outcome is known. One that was never sent
    /// stays, as it was before `markSent`.
    ///
    /// - Throws: `.outcomeUnknown` for an edit that is too old to be sent again.
    public func send(_ edit: PendingCartEdit) async throws(DataError) -> Cart {
        try await send(Cart.self, edit.write)
    }

    /// The owner's unconfirmed edits in the order in which they were made.
    public func pendingCartEdits(of owner: String) async throws(DataError) -> [PendingCartEdit] {
        try await mappingStoreErrors(await store.pendingWrites(of: owner)).compactMap(PendingCartEdit.init)
    }
}

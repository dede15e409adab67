import Foundation
import PouchContract
import PouchEntities
import PouchWire

/// A change to the cart that the server has not confirmed.
public struct PendingCartEdit: Sendable, Hashable, Identifiable {
    public let edit: CartEdit
    public let write: PendingWrite

    public var id: String { write.key }

    init(edit: CartEdit, write: PendingWrite) {
        self.edit = edit
        self.write = write
    }

    /// - Returns: nil for a write that is none of a cart, or cannot be read.
    init?(_ write: PendingWrite) {
        self.write = write
        switch write.kind {
        case .addCartLine:
            guard let line = write.body.flatMap({ try? WireJSON.decode(LineRequest.self, from: $0) }) else {
                return nil
            }
            edit = .add(sku: line.sku, quantity: line.quantity)
        case .setCartLine:
            guard let sku = write.target,
                let line = write.body.flatMap({ try? WireJSON.decode(QuantityRequest.self, from: $0) })
            else { return nil }
            edit = .set(sku: sku, quantity: line.quantity)
        case .removeCartLine:
            guard let sku = write.target else { return nil }
            edit = .remove(sku: sku)
        case .clearCart: edit = .clear
        default: return nil
        }
    }

    /// The edit as one of another session that takes it over; nil where it does not. One that may have been done is never
    /// sent again under another name.
    public func takenOver(by session: UserSession) -> PendingCartEdit? {
        guard write.firstSentAt == nil, session.cartEditsTakenOver.contains(write.kind) else { return nil }
        return PendingCartEdit(edit: edit, write: write.owned(by: session.owner))
    }

    /// As sent for the first time at the moment, unless it was before.
    public func sent(at moment: Date) -> PendingCartEdit {
        var write = write
        write.firstSentAt = write.firstSentAt ?? moment
        return PendingCartEdit(edit: edit, write: write)
    }
}

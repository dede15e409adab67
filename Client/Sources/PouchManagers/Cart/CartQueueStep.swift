import PouchData
import PouchEntities

extension CartQueue {
    struct Entry: Equatable {
        var pending: PendingCartEdit
        /// Whether the edit is in the local store.
        var isStored = false
        /// Whether the cart is shown with this edit although the server has not confirmed it.
        var isShown = false
        /// Whether the caller that made the edit waits for its outcome.
        var hasCaller = false
        /// The product of the line that the edit adds.
        var product: Product?

        var key: String { pending.id }
        var edit: CartEdit { pending.edit }
        var wasSent: Bool { pending.write.firstSentAt != nil }
    }

    enum Step: Equatable {
        /// Send the edit, then report `didSend`.
        case send(Entry)
        /// Store the edit and look up its product, then report `didStore` or `didFailToStore`. The caller returns after
        /// that.
        case store(Entry)
        /// Merge the edit into the signed-out cart, then report `didMerge` or `didFailToStore`.
        case merge(Entry)
        /// Only report `didSend` with this error.
        case fail(Entry, DataError)
        /// Read the cart, then report `didCompare`.
        case compare(Replay)
        /// Stop because of the error, and try again later.
        case pause(DataError, Wait)
        /// The queue is empty.
        case done
    }

    /// The event that ends a pause.
    enum Wait: Equatable {
        /// The next edit or refresh.
        case request
        /// A session, which signed-out edits require.
        case session
        /// The server is reachable again, or the delay has passed while the server is online. After repeated failures,
        /// the delay follows the server's return.
        case server(Duration, isRepeated: Bool)
    }

    enum Effect: Equatable {
        /// Returns the result to the caller of the edit.
        case finish(key: String, Result<Cart, DataError>)
        case publish(CartUpdate)
        /// Discards updates that no subscriber has received.
        case dropUpdates
        /// Removes the write from the local store, so that no later process sends it.
        case discard(PendingWrite)
        case storeCart(Dated<Cart>?, owner: String)
        /// Load the owner's cart and edits from the local store, then report `didLoad`.
        case load(owner: String, ownership: Int)
        case startWork
    }

    /// Edits that the server confirmed after the cart was shown with them.
    struct Replay: Equatable {
        var start: Cart?
        var confirmed: [Entry]
        var generation = 0
    }

    /// A signed-out edit, and the earlier edits that it replaces.
    struct Merge: Equatable {
        let entry: Entry
        let replaced: [Entry]
        /// The single addition that remains of the edits; nil if nothing remains.
        let addition: CartEdit?
        let product: Product?
        let cart: Cart
    }
}

extension CartQueue.Entry {
    /// The cart after the edit; without a cart, a new one with the product's line.
    func applied(to cart: Cart?) throws(DataError) -> Cart {
        guard let cart = cart ?? product.map({ Cart.empty(in: $0.price.currency) }) else {
            throw DataError(.unreachable)
        }
        return try cart.applying(edit, product: product)
    }
}

import Synchronization

/// The carts that are told of what happens to the session, and waited for.
final class SessionFollowers: Sendable {
    enum Moment: Sendable {
        /// Somebody is about to sign in, up or out: what is to be done in the name of whoever is signed in is to be done now.
        case leaving
        /// Another session, or none, is in its place.
        case changed
    }

    private struct Follower: Sendable {
        weak var cart: CartManager?
    }

    private let followers = Mutex<[Follower]>([])

    /// Does not keep the cart alive.
    func add(_ cart: CartManager) {
        followers.withLock { followers in
            followers.removeAll { $0.cart == nil }
            followers.append(Follower(cart: cart))
        }
    }

    func tell(_ moment: Moment) async {
        for follower in followers.withLock({ $0 }) { await follower.cart?.note(moment) }
    }
}

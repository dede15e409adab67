import KooberScreens
import Synchronization

/// Counts what dependency containers made, and what of it is alive.
public final class LiveObjects: LifetimeObserver {
    /// Unchecked, since the object is only asked whether it is still there.
    private struct Made: @unchecked Sendable {
        weak var object: AnyObject?
        let type: String
        let scope: ObjectScope
    }

    private let made = Mutex<[Made]>([])

    public init() {}

    public func made(_ object: AnyObject, in scope: ObjectScope) {
        let object = Made(object: object, type: "\(type(of: object))", scope: scope)
        made.withLock { $0.append(object) }
    }

    /// The types of the objects of the scope that are alive.
    public func alive(in scope: ObjectScope) -> [String] {
        made.withLock { $0.filter { $0.scope == scope && $0.object != nil }.map(\.type) }
    }

    /// Whether somebody holds a dependency container of the scope.
    public func holdContainer(of scope: ObjectScope) -> Bool {
        alive(in: scope).contains { $0.hasSuffix("Container") }
    }

    /// How many were made in the scope so far.
    public func count(in scope: ObjectScope) -> Int {
        made.withLock { $0.count { $0.scope == scope } }
    }
}

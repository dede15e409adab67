import KooberKit

/// Tells of each object that a dependency container makes.
struct ObjectRegistry {
    let lifetimes: (any LifetimeObserver)?
    let scope: ObjectScope

    /// Returns the object.
    func callAsFunction<Object>(_ object: Object) -> Object {
        lifetimes?.made(object as AnyObject, in: scope)
        return object
    }
}

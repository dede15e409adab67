import KooberKit

/// Tells of each object that a container makes.
struct ObjectRegister {
    let lifetimes: (any LifetimeObserver)?
    let scope: ObjectScope

    func callAsFunction<Object>(_ object: Object) -> Object {
        lifetimes?.made(object as AnyObject, in: scope)
        return object
    }
}

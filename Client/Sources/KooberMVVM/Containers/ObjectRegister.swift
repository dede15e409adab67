import KooberKit

/// Tells of each object that a container makes.
struct ObjectRegister {
    let scope: ObjectScope
    let lifetimes: (any LifetimeObserver)?

    @discardableResult
    func made<Object>(_ object: Object) -> Object {
        lifetimes?.made(object as AnyObject, in: scope)
        return object
    }
}

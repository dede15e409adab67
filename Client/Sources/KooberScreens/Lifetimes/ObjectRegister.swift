/// Tells of each object that a dependency container makes.
public struct ObjectRegister {
    private let scope: ObjectScope
    private let lifetimes: (any LifetimeObserver)?

    public init(scope: ObjectScope, lifetimes: (any LifetimeObserver)?) {
        self.scope = scope
        self.lifetimes = lifetimes
    }

    /// Returns the object.
    @discardableResult
    public func callAsFunction<Object>(_ object: Object) -> Object {
        lifetimes?.made(object as AnyObject, in: scope)
        return object
    }
}

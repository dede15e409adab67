import KooberKit

/// The lifetime of an object: the object must not outlive it.
public enum ObjectScope: Int, CaseIterable, Comparable, Sendable {
    case app
    /// Until the stored session is read.
    case launch
    /// While the user is signed out.
    case onboarding
    case signedIn
    /// Within a session, until the user's location is known.
    case gettingUserLocation
    /// From the user's location to the request of the ride.
    case pickMeUp
    /// From the request of the ride to the next ride.
    case waitingForPickup

    public static func < (wider: ObjectScope, narrower: ObjectScope) -> Bool { wider.rawValue < narrower.rawValue }
}

/// The objects of an app by scope, held weakly.
///
/// They are found by following references, starting at the app, and so need nothing of the app itself. Closures and
/// tasks cannot be looked into. An object that only they hold is found through another reference, a weak one included,
/// or not at all.
@MainActor public final class LiveObjects {
    private struct Found {
        weak var object: AnyObject?
        let type: String
        let scope: ObjectScope
    }

    private weak var app: AnyObject?
    private var found: [Found] = []
    /// The places in `found` by the address of the object, which a later object may reuse.
    private var places: [ObjectIdentifier: Int] = [:]
    /// The names by type. Kept, because every step of a scenario looks at thousands of values of few types.
    private var types: [ObjectIdentifier: TypeName] = [:]

    public init(of app: AnyObject) { self.app = app }

    /// The types of the objects of the scope that are alive.
    public func alive(in scope: ObjectScope) -> [String] {
        look()
        return found.filter { $0.scope == scope && $0.object != nil }.map(\.type)
    }

    /// Whether a dependency container of the scope is alive.
    public func holdContainer(of scope: ObjectScope) -> Bool { alive(in: scope).contains { $0.hasSuffix("Container") } }

    /// The number of objects of the scope found so far, dead ones included.
    public func count(in scope: ObjectScope) -> Int {
        look()
        return found.count { $0.scope == scope }
    }

    /// Finds the objects that exist now. Does nothing once the app is deallocated.
    ///
    /// A type whose name says no scope has the widest scope of the objects that refer to it. An object stays in the
    /// scope in which it was first found, so that one which a wider scope starts to refer to counts as a leak.
    public func look() {
        guard let app else { return }
        var seen: Set<ObjectIdentifier> = []
        var waiting: [ObjectScope: [AnyObject]] = [.app: [app]]
        while let scope = waiting.keys.min(), let object = waiting[scope]?.popLast() {
            if waiting[scope]?.isEmpty == true { waiting[scope] = nil }
            guard seen.insert(ObjectIdentifier(object)).inserted else { continue }
            record(object, in: scope)
            for reference in references(from: object) {
                waiting[name(of: type(of: reference)).scope ?? scope, default: []].append(reference)
            }
        }
    }

    private func record(_ object: AnyObject, in scope: ObjectScope) {
        let address = ObjectIdentifier(object)
        if let place = places[address], found[place].object === object { return }
        places[address] = found.count
        found.append(Found(object: object, type: "\(type(of: object))", scope: scope))
    }

    /// The objects of Koober's modules and the doubles of the model layer that the object refers to.
    private func references(from object: AnyObject) -> [AnyObject] {
        // The doubles lead to the world of the test.
        if name(of: type(of: object)).module == "KooberScenarios" { return [] }
        let classes = sequence(first: Mirror(reflecting: object)) { $0.superclassMirror }
        return classes.flatMap(\.children).flatMap { references(in: $0.value) }
    }

    private func references(in value: Any) -> [AnyObject] {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .class else { return mirror.children.flatMap { references(in: $0.value) } }
        let object = value as AnyObject
        // The model layer is the test's and outlives the app.
        let isOfApp = name(of: mirror.subjectType).module.hasPrefix("Koober") && !(object is any KooberModelFactory)
        return isOfApp ? [object] : []
    }

    private func name(of type: Any.Type) -> TypeName {
        if let known = types[ObjectIdentifier(type)] { return known }
        let name: TypeName = (String(reflecting: type).prefix { $0 != "." }, ObjectScope(typeName: "\(type)"))
        types[ObjectIdentifier(type)] = name
        return name
    }
}

/// The facts that the name of a type states about its objects. The scope is nil if the name says none.
private typealias TypeName = (module: Substring, scope: ObjectScope?)

extension ObjectScope {
    /// Fails where the name of the type says no scope.
    fileprivate init?(typeName: String) {
        let words: [(scope: ObjectScope, of: [String])] = [
            (.launch, ["Launch"]),
            (.onboarding, ["Onboarding", "Welcome", "SignIn", "SignUp"]),
            (.gettingUserLocation, ["GettingUser"]),
            (.pickMeUp, ["PickMeUp"]),
            (.waitingForPickup, ["WaitingForPickup"]),
            (.signedIn, ["SignedIn", "Profile"]),
        ]
        guard let named = words.first(where: { $0.of.contains(where: typeName.contains) }) else { return nil }
        self = named.scope
    }
}

import PouchEntities

/// Goes on with where somebody wants to go.
@MainActor
public protocol DropoffLocationDeterminedResponder: AnyObject {
    func dropOffUser(at dropoffLocation: NamedLocation) throws(IllegalTransition)
}

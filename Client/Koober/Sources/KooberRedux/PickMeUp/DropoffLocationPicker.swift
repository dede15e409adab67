import KooberKit
import KooberScreens
import PouchEntities

/// The state of the open drop-off picker.
public struct DropoffLocationPickerState: Codable, Equatable, Sendable {
    public var query: String
    /// The results of the last answered search, which remain during the next one.
    public var results: [NamedLocation] = []
    public var isSearching = true
    /// Whether a result with exactly the searched name is chosen.
    public var choosesMatch: Bool

    public init(query: String = "", choosesMatch: Bool = false) {
        self.query = query
        self.choosesMatch = choosesMatch
    }

    /// The result to choose without asking the user.
    var match: NamedLocation? {
        choosesMatch ? results.first { $0.name.isSameName(as: query) } : nil
    }
}

public enum DropoffLocationPickerAction: Codable, Equatable, Sendable {
    case search(String)
    case found([NamedLocation])
}

extension Reducers {
    static func dropoffLocationPicker(
        _ state: inout DropoffLocationPickerState, _ action: DropoffLocationPickerAction
    ) {
        switch action {
        case .search(let query):
            state.query = query
            state.isSearching = true
            state.choosesMatch = false
        case .found(let results):
            guard state.isSearching else { return }
            state.results = results
            state.isSearching = false
        }
    }
}

// MARK: User interactions

@MainActor
public protocol DropoffLocationPickerUserInteractions: AnyObject {
    func search(using query: String)
    /// - Parameter name: of a result. Another name is ignored.
    func selectDropoffLocation(named name: String)
    func closeDropoffLocationPicker()
}

extension ReduxPickMeUpUserInteractions: DropoffLocationPickerUserInteractions {
    func search(using query: String) { actionDispatcher.dispatch(.dropoffLocationPicker(.search(query))) }

    func selectDropoffLocation(named name: String) { actionDispatcher.dispatch(.dropoffLocationSelected(name)) }

    func closeDropoffLocationPicker() { actionDispatcher.dispatch(.closedDropoffLocationPicker) }
}

extension DropoffPicker {
    init(_ state: DropoffLocationPickerState, from pickupLocation: GeoPoint) {
        self.init(query: state.query, results: state.results, from: pickupLocation, isSearching: state.isSearching)
    }
}

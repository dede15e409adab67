import KooberKit
import Observation
import PouchEntities

// MARK: Responders by which a feature reaches the whole

/// Continues with a signed-in user.
@MainActor
public protocol SignedInResponder: AnyObject {
    /// Does nothing if a user is signed in already. That session stays.
    func signedIn(to userSession: UserSession)
}

/// Continues without a signed-in user.
@MainActor
public protocol NotSignedInResponder: AnyObject {
    /// - Parameter errorMessage: the reason, if the user has to know it.
    func notSignedIn(_ errorMessage: ErrorMessage?)
}

// MARK: Publishers that features share

/// The errors that the user has not acknowledged. All view models publish theirs here, and the window shows the oldest.
@MainActor
@Observable
public final class ErrorMessages {
    /// The oldest first.
    public private(set) var pending: [ErrorMessage] = []
    @ObservationIgnored private var actions: [ErrorMessage.ID: @MainActor () -> Void] = [:]

    public init() {}

    /// - Parameter whenAcknowledged: continues the work that waits for the user.
    public func present(_ errorMessage: ErrorMessage, whenAcknowledged: @escaping @MainActor () -> Void = {}) {
        pending.append(errorMessage)
        actions[errorMessage.id] = whenAcknowledged
    }

    /// Removes the oldest error, and continues the work that waits for it.
    public func acknowledge() {
        guard !pending.isEmpty else { return }
        actions.removeValue(forKey: pending.removeFirst().id)?()
    }

    public func removeAll() {
        pending = []
        actions = [:]
    }
}

public enum SignedInView: Hashable, Sendable {
    case gettingUsersLocation
    case pickMeUp(pickupLocation: GeoPoint)
    /// With the ride as it was first reported.
    case waitingForPickup(Ride)
}

/// The stage of the ride that is shown. The view model of each stage publishes the next one.
@MainActor
@Observable
public final class SignedInViewPublisher {
    public var view: SignedInView

    public init(_ view: SignedInView = .gettingUsersLocation) {
        self.view = view
    }
}

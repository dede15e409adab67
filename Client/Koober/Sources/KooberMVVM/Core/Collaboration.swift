import KooberKit
import Observation
import PouchEntities

// MARK: Responders from a feature to the app

/// Continues with a signed-in user.
@MainActor
public protocol SignedInResponder: AnyObject {
    /// Does nothing if a user is already signed in. That session remains.
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
    /// The pending errors, oldest first.
    public private(set) var pending: [ErrorMessage] = []
    @ObservationIgnored private var actions: [ErrorMessage.ID: @MainActor () -> Void] = [:]
    /// Whether the view models of a part that has ended still exist.
    @ObservationIgnored private var isEnding = false

    public init() {}

    /// Has no effect between `end` and `begin`.
    ///
    /// - Parameter whenAcknowledged: continues the work that waits for the user.
    public func present(_ errorMessage: ErrorMessage, whenAcknowledged: @escaping @MainActor () -> Void = {}) {
        guard !isEnding else { return }
        pending.append(errorMessage)
        actions[errorMessage.id] = whenAcknowledged
    }

    /// Removes the oldest error, and continues the work that waits for it.
    public func acknowledge() {
        guard !pending.isEmpty else { return }
        actions.removeValue(forKey: pending.removeFirst().id)?()
    }

    /// Removes all errors of a part of the app that has ended, such as a session. Its view models live until its view
    /// is replaced. Errors that they present until then are ignored, such as that of a request which failed because the
    /// session ended: the next part would show it.
    ///
    /// - Parameter errorMessage: the reason, if the user has to know it. The next part shows it.
    public func end(with errorMessage: ErrorMessage?) {
        pending = errorMessage.map { [$0] } ?? []
        actions = [:]
        isEnding = true
    }

    /// The view of the next part has replaced that of the previous part.
    public func begin() {
        isEnding = false
    }
}

public enum SignedInView: Hashable, Sendable {
    case gettingUsersLocation
    case pickMeUp(pickupLocation: GeoPoint)
    /// Contains the ride as first reported.
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

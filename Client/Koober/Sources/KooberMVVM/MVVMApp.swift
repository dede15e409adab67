import KooberKit
@_exported import KooberMVVMCore
@_exported import KooberMVVMGettingUsersLocation
@_exported import KooberMVVMLaunch
@_exported import KooberMVVMOnboarding
@_exported import KooberMVVMPickMeUp
@_exported import KooberMVVMProfile
@_exported import KooberMVVMWaitingForPickup
import KooberScreens

/// Koober in MVVM.
///
/// View models hold the state and do the work. Each view binds to the properties of its view model, and calls the view
/// model when the user acts. View models collaborate in three ways: a responder passes an event to the object that
/// decides what follows; a closure returns to a single caller; a shared publisher holds a value that several of them
/// set.
///
/// Each feature is a separate module, which knows the shared code in `KooberMVVMCore` and no other feature. This module
/// combines them.
@MainActor
public final class MVVMApp: KooberApp {
    private let container: KooberAppDependencyContainer
    private let window = Window()
    private var main: MainViewController?

    /// - Parameter destination: the place at which the app starts, once that is possible.
    public init(model: any KooberModelFactory, opening destination: Destination? = nil) {
        container = KooberAppDependencyContainer(model: model, destination: destination)
    }

    public var screen: KooberScreen? { window.screen }

    public func screens() -> AsyncStream<KooberScreen> { window.screens() }

    public func start() {
        guard main == nil else { return }
        main = container.makeMainViewController(in: window)
        window.updates.flush()
    }

    public func perform(_ intention: Intention) throws(UnofferedIntention) {
        try window.perform(intention) { main?.perform($0) }
    }
}

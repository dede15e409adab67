import KooberKit
import KooberRedux
import KooberScreens

/// The apps that do the same.
enum KooberArchitecture: CaseIterable, Sendable {
    case redux

    @MainActor
    func makeApp(model: any KooberModelFactory, lifetimes: any LifetimeObserver) -> any KooberApp {
        switch self {
        case .redux: ReduxApp(model: model, lifetimes: lifetimes)
        }
    }
}

import KooberElements
import KooberKit
import KooberMVVM
import KooberRedux
import KooberScreens

/// The apps that do the same.
public enum KooberArchitecture: CaseIterable, Sendable {
    case mvvm
    case redux
    case elements

    @MainActor
    public func makeApp(model: any KooberModelFactory, lifetimes: (any LifetimeObserver)? = nil) -> any KooberApp {
        switch self {
        case .mvvm: MVVMApp(model: model, lifetimes: lifetimes)
        case .redux: ReduxApp(model: model, lifetimes: lifetimes)
        case .elements: ElementsApp(model: model, lifetimes: lifetimes)
        }
    }
}

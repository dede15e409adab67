import KooberElements
import KooberKit
import KooberScreens

/// The apps that do the same.
enum KooberArchitecture: CaseIterable, Sendable {
    case elements

    @MainActor
    func makeApp(model: any KooberModelFactory, lifetimes: any LifetimeObserver) -> any KooberApp {
        switch self {
        case .elements: ElementsApp(model: model, lifetimes: lifetimes)
        }
    }
}

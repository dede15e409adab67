import KooberKit
import KooberScreens

/// The apps that do the same.
enum KooberArchitecture: CaseIterable, Sendable {
    @MainActor
    func makeApp(model: any KooberModelFactory, lifetimes: any LifetimeObserver) -> any KooberApp {
        switch self {
        }
    }
}

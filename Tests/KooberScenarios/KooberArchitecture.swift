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
    public func makeApp(model: any KooberModelFactory) -> any KooberApp {
        switch self {
        case .mvvm: MVVMApp(model: model)
        case .redux: ReduxApp(model: model)
        case .elements: ElementsApp(model: model)
        }
    }
}

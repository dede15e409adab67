#if TerminalPrograms
    import ArgumentParser
    import KooberElements
    import KooberKit
    import KooberMVVM
    import KooberRedux
    import KooberScreens

    /// The architecture of the app. Nothing else in the program depends on it.
    enum Architecture: String, CaseIterable, ExpressibleByArgument {
        case mvvm, redux, elements

        @MainActor
        func makeApp(model: any KooberModelFactory) -> any KooberApp {
            switch self {
            case .mvvm: MVVMApp(model: model)
            case .redux: ReduxApp(model: model)
            case .elements: ElementsApp(model: model)
            }
        }
    }
#endif

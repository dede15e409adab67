#if TerminalPrograms
    import ArgumentParser
    import KooberElements
    import KooberKit
    import KooberMVVM
    import KooberRedux
    import KooberScreens

    /// What an app is built with. Nothing else of the program differs.
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

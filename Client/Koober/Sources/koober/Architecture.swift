#if Program
    import ArgumentParser
    import Foundation
    import KooberClient
    import KooberElements
    import KooberKit
    import KooberMVVM
    import KooberRedux
    import KooberScreens
    import KooberTexts

    /// The architecture of the app. Nothing else in the program depends on it.
    enum Architecture: String, CaseIterable, ExpressibleByArgument {
        case mvvm, redux, elements

        /// - Parameters:
        ///   - windowSizes: the sizes of the window; nil without one.
        ///   - isRecording: whether the user can travel through the recorded actions.
        @MainActor
        func makeApp(
            model: any KooberModelFactory, _ options: AppOptions, opening destination: Destination?,
            windowSizes: (@MainActor () -> AsyncStream<WindowSize>)? = nil, isRecording: Bool = false
        ) throws -> any KooberApp {
            switch self {
            case .mvvm:
                return MVVMApp(model: model, opening: destination)
            case .redux:
                let debugging = ReduxDebugging(
                    print: try options.logActions.map(LineFile.init)?.write, recordedActions: isRecording ? 1_000 : 0)
                return ReduxApp(model: model, opening: destination, debugging: debugging)
            case .elements:
                return ElementsApp(
                    model: model, opening: destination, windowSizes: windowSizes ?? { AsyncStream { $0.finish() } },
                    analytics: try options.analytics.map(LineFile.init)?.write)
            }
        }
    }

    /// The options of the app, on a terminal and in a script.
    struct AppOptions: ParsableArguments {
        @Option(help: "The language: en or de. (default: the system's)")
        var language: Language?

        @Option(
            help: ArgumentHelp(
                "Start at the place that a link names, such as \"koober://ride?to=Bondi Beach\" or koober://profile.",
                valueName: "link"), transform: Destination.init(argument:))
        var open: Destination?

        @Option(help: ArgumentHelp("Append the name of each action to this file. Requires redux.", valueName: "file"))
        var logActions: String?

        @Option(help: ArgumentHelp("Append a line for each event to this file. Requires elements.", valueName: "file"))
        var analytics: String?

        func validate(for architecture: Architecture) throws {
            for (option, path) in [("--log-actions", logActions), ("--analytics", analytics)] where path == "" {
                throw ValidationError("\(option) must name a file.")
            }
            guard logActions == nil || architecture == .redux else {
                throw ValidationError("--log-actions requires --architecture redux, the only one with actions.")
            }
            guard analytics == nil || architecture == .elements else {
                throw ValidationError("--analytics requires --architecture elements, where it is a second subscriber.")
            }
        }

        /// The chosen language, or the system's.
        var chosenLanguage: Language {
            let environment = ProcessInfo.processInfo.environment
            let system = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
            return language ?? Language(identifier: system ?? "")
        }
    }

    extension Language: ExpressibleByArgument {}

    extension UserSessionDataStoreChoice: ExpressibleByArgument {}

    extension Destination {
        /// - Throws: a `ValidationError` that names the links of this app.
        init(argument: String) throws {
            guard let destination = Destination(link: argument) else {
                throw ValidationError(
                    "The link must be koober://ride, koober://ride?to=PLACE or koober://profile, not \(argument).")
            }
            self = destination
        }
    }
#endif

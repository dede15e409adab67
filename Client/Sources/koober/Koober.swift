#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import KooberClient
    import KooberTerminal
    import PouchCommandLine
    import PouchEntities

    @main
    struct Koober: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "koober",
            abstract: "Ride by kangaroo, with the whole terminal for a map.",
            discussion: """
                Enter does what it stands on, the arrows move, Esc goes back; the last row of every screen says what else \
                there is. Ctrl-C leaves at once, and the ride goes on: it is there again when koober is. The screens are \
                the same in all architectures, which differ in how they are built alone.

                It needs a terminal of 48 columns and 14 rows or more, without colours with NO_COLOR; or a script, which \
                says what to want, one intention a line:

                \(ScriptCommand.all.map { "  " + $0.usage }.joined(separator: "\n"))

                Words with spaces in them stand in quotation marks, and # begins a comment. An intention waits until the \
                screen offers it and nothing is under way. Each screen that comes is one line on standard output, the same \
                in every run in which the server answers the same.

                Requests for rides without an answer yet are kept in $XDG_STATE_HOME/koober, or ~/.local/state/koober; so \
                is the session, where there is no Keychain.

                Exit codes: 0 done; 64 the command or the script is not right, or there is no terminal; 1 what a script \
                wants was not offered in time, it ended on an error, or anything else.
                """)

        @OptionGroup var server: ServerOption

        @Option(help: "What the app is built with.")
        var architecture = Architecture.mvvm

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Where you are. (default: -33.8688,151.2093, in Sydney)", valueName: "lat,lon"),
            transform: GeoPoint.init(argument:))
        var location: GeoPoint?

        @Option(help: "Where the session is kept.")
        var sessionStore = UserSessionDataStoreChoice.standard

        @Option(help: ArgumentHelp("Keep the session and open requests in this folder.", valueName: "folder"))
        var state: String?

        @Option(help: ArgumentHelp("Do what this file says; - for standard input.", valueName: "file"))
        var script: String?

        @Option(
            help: ArgumentHelp(
                "How long an intention of the script waits until it is offered. (default: 30)", valueName: "seconds"))
        var timeout: Int?

        @Flag(help: "Let the lines tell also which ride it is, who comes, and how far they are.")
        var verbose = false

        func validate() throws {
            guard timeout.map((1...86_400).contains) ?? true else {
                throw ValidationError("--timeout must be from 1 to 86400 seconds.")
            }
            guard script != nil || (timeout == nil && !verbose) else {
                throw ValidationError("--timeout and --verbose are for a script; name one with --script.")
            }
            guard state == nil || sessionStore != .memory else {
                throw ValidationError("With --session-store memory nothing is kept that --state could say where.")
            }
        }

        func run() async throws {
            if let script {
                let intentions = try ScriptFile(path: script).read()
                let playback = ScriptPlayback(script: intentions, seconds: timeout ?? 30, isVerbose: verbose)
                try await playback.run(in: architecture, model: try await model())
            } else {
                let terminal = try Passenger.terminal()
                try await Passenger(architecture: architecture, model: try await model()).run(on: terminal)
            }
        }

        private func model() async throws -> KooberModel {
            let device = Device(server: try server.url, folder: state, sessionStore: sessionStore)
            return await device.makeModel(location: location)
        }
    }
#else
    @main
    struct Koober {
        static func main() {
            print("koober was built without its commands. Build it with: swift build --traits TerminalPrograms")
        }
    }
#endif

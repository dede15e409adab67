#if Program
    import ArgumentParser
    import Foundation
    import KooberClient
    import KooberKit
    import KooberScreens
    import KooberTerminal
    import PouchClient
    import PouchCommandLine
    import PouchEntities
    import PouchPersistence
    import PouchTerminal
    import PouchVersion

    @main
    struct Koober: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "koober",
            abstract: "Ride by kangaroo on a map of the terminal's size.",
            discussion: """
                Enter activates the selected element, the arrow keys move, Esc goes back; the last row of each screen \
                lists further keys. Ctrl-C quits at once, and the ride continues: koober shows it again at the next \
                start. The screens are the same in all architectures, which differ only in how the app is built.

                Requires a terminal with at least 48 columns and 14 rows. NO_COLOR turns colours off. Without a \
                terminal, koober runs a script with one intention per line:

                \(IntentionCommand.all.map { "  " + $0.usage }.joined(separator: "\n"))

                Put words with spaces in quotation marks; # starts a comment. Each intention waits until the screen \
                offers it and has settled. Each screen is one line on standard output, identical in every run with the \
                same answers from the server.

                With redux, Ctrl-T opens and closes a panel that travels through the actions so far: ← and → show the \
                state before and after an action, and e exports the actions to a file for a test that replays them.

                --open accepts the links koober://ride, koober://ride?to=PLACE and koober://profile. A ride to a place \
                with exactly this name continues with its options, any other with a search. A signed-out user has to \
                sign in first.

                Unanswered ride requests, the place where you left the app and exported actions are stored in \
                $XDG_STATE_HOME/koober, or ~/.local/state/koober. So is the session on systems without a Keychain.

                Exit codes: 0 done; 64 invalid command or script, or no terminal; 1 the screen did not offer an \
                intention in time, the script ended with an error, or any other error.
                """,
            version: "koober " + String(cString: pouch_version()))

        @OptionGroup var server: ServerOption

        @Option(help: "The architecture of the app.")
        var architecture = Architecture.mvvm

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Your location. (default: -33.8688,151.2093, in Sydney)", valueName: "lat,lon"),
            transform: GeoPoint.init(argument:))
        var location: GeoPoint?

        @Option(help: "Where to store the session.")
        var sessionStore = UserSessionDataStoreChoice.standard

        @Option(
            help: ArgumentHelp(
                "Store the session, your place and unanswered requests in this folder.", valueName: "folder"))
        var state: String?

        @Option(help: ArgumentHelp("Run the script in this file; - for standard input.", valueName: "file"))
        var script: String?

        @Option(
            help: ArgumentHelp(
                "The time that each intention of the script waits for its screen. (default: 30)", valueName: "seconds"))
        var timeout: Int?

        @Flag(help: "Add the ID, the driver and the time of a ride to the lines.")
        var verbose = false

        @OptionGroup var app: AppOptions
        @OptionGroup var web: WebOptions

        func validate() throws {
            guard timeout.map((1...86_400).contains) ?? true else {
                throw ValidationError("--timeout must be from 1 to 86400 seconds.")
            }
            guard script != nil || (timeout == nil && !verbose) else {
                throw ValidationError("--timeout and --verbose require a script. Add --script.")
            }
            guard state?.isEmpty != true else { throw ValidationError("--state must name a folder.") }
            guard state == nil || sessionStore != .memory else {
                throw ValidationError("--state cannot be used with --session-store memory, which stores nothing.")
            }
            guard script == nil || web.port == nil else {
                throw ValidationError("--web cannot be used with --script.")
            }
            try app.validate(for: architecture)
        }

        func run() async throws {
            let script = try script.map { try Script(path: $0) }
            let terminal = script == nil && web.port == nil ? try Terminal.interactive() : nil
            let storage = try makeStorage()
            let model = try await makeModel(storage)
            let place = sessionStore == .memory ? nil : StoredPlace(in: storage)
            if let script {
                try await script.run(
                    in: architecture, model: model, app, opening: app.open, timeout: timeout ?? 30, isVerbose: verbose)
            } else if let port = web.port {
                try await architecture.serve(model: model, app, from: place, on: port)
            } else if let terminal {
                try await architecture.run(model: model, app, from: place, on: terminal)
            }
        }

        private func makeStorage() throws -> DeviceStorage {
            let server = try server.url
            return state.map { DeviceStorage(server: server, application: "koober", in: URL(filePath: $0)) }
                ?? DeviceStorage(server: server, application: "koober")
        }

        private func makeModel(_ storage: DeviceStorage) async throws -> KooberModel {
            KooberModel(
                server: try server.url, transport: try server.makeTransport(),
                userSessionDataStore: sessionStore.makeDataStore(in: storage),
                userLocationSource: location.map { FixedUserLocationSource($0) } ?? FixedUserLocationSource(),
                store: await openRequestStore(in: storage))
        }

        /// Opens the store for ride requests beyond the process. Without one, koober works and prints a warning.
        private func openRequestStore(in storage: DeviceStorage) async -> SQLiteStore? {
            guard sessionStore != .memory else { return nil }
            do throws(StoreError) {
                return try await SQLiteStore.open(at: storage.database)
            } catch {
                let path = storage.database.path(percentEncoded: false)
                FileHandle.standardError.writeLine("warning: ride requests cannot be stored in \(path).")
                return nil
            }
        }
    }

    extension FileHandle {
        func writeLine(_ text: String) { write(Data((text + "\n").utf8)) }
    }
#else
    @main
    struct Koober {
        static func main() {
            print("koober was built without its commands. Build it with: swift build --traits Program")
        }
    }
#endif

#if Program
    import ArgumentParser
    import Foundation
    import KooberKit
    import KooberScreens
    import KooberWeb
    import PouchClient

    /// The option for a browser.
    struct WebOptions: ParsableArguments {
        @Option(
            name: .customLong("web"),
            help: ArgumentHelp(
                "Show Koober in a browser on this machine; 0 for a free port. Ctrl-C ends it.", valueName: "port"))
        var port: Int?

        func validate() throws {
            guard port.map((0...65_535).contains) ?? true else {
                throw ValidationError("--web must be a port from 0 to 65535.")
            }
        }
    }

    extension Architecture {
        /// Serves the app to browsers on this machine until the process is asked to end.
        ///
        /// - Parameter place: the place where the user left the app; nil if it is not stored.
        @MainActor
        func serve(
            model: any KooberModelFactory, _ options: AppOptions, from place: StoredPlace?, on port: Int
        ) async throws {
            let destination = if let link = options.open { link } else { await place?.read() }
            // Before the server, so that no port is open for an app that does not start.
            let app = try makeApp(model: model, options, opening: destination)
            let server: WebServer
            do {
                server = try await WebServer.start(port: port)
            } catch {
                FileHandle.standardError.writeLine("Error: \(error.localizedDescription)")
                throw ExitCode.failure
            }
            let site = KooberSite(app, language: options.chosenLanguage, port: server.port) { address in
                FileHandle.standardOutput.writeLine("For another browser: \(address)")
            }
            let storing = Task { [screens = app.screens(), weak app] in
                await place?.follow(screens) { app?.screen }
            }
            defer { storing.cancel() }
            app.start()
            FileHandle.standardOutput.writeLine("Koober for one browser: \(site.address)")
            let serving = Task { await server.run(site) }
            let signals = EndSignals(cancelling: serving)
            defer { signals.stop() }
            await serving.value
            await app.finish()
        }
    }

    /// The signals that ask a process to end.
    private struct EndSignals {
        private let sources: [any DispatchSourceSignal]

        /// Cancels the task at the first signal. Another one ends the process immediately, also while it is ending.
        init(cancelling task: Task<Void, Never>) {
            sources = [SIGINT, SIGTERM, SIGHUP].map { number in
                // Otherwise the signal ends the process before the source sees it.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler {
                    guard task.isCancelled else { return task.cancel() }
                    Self.endProcess(by: number)
                }
                source.resume()
                return source
            }
        }

        /// Performs the default action of a signal.
        private static func endProcess(by number: Int32) {
            signal(number, SIG_DFL)
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, number)
            // The threads of a queue block it.
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            raise(number)
        }

        func stop() {
            for source in sources { source.cancel() }
        }
    }
#endif

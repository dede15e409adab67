#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import KooberKit
    import KooberScreens
    import KooberTerminal
    import PouchTerminal

    /// Somebody at a terminal.
    struct Passenger {
        let architecture: Architecture
        let model: any KooberModelFactory

        static func terminal() throws -> Terminal {
            do throws(TerminalError) {
                return try Terminal()
            } catch {
                throw ValidationError("\(error.localizedDescription) Without one, say with --script what to do.")
            }
        }

        /// Returns when they leave.
        @MainActor
        func run(on terminal: Terminal) async throws {
            let app = architecture.makeApp(model: model)
            let loop = TerminalLoop(terminal)
            let window = KooberWindow(
                app, redraw: { [weak loop] in loop?.setNeedsDrawing() }, quit: { [weak loop] in loop?.stop() })
            let following = Task { await window.follow() }
            defer { following.cancel() }
            app.start()
            do throws(TerminalError) {
                _ = try await loop.run(window)
            } catch {
                Message.write("error: \(error.localizedDescription)")
                throw ExitCode.failure
            }
        }
    }
#endif

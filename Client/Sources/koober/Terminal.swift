#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import KooberScreens
    import KooberTerminal
    import PouchTerminal

    extension KooberApp {
        /// Runs the app on a terminal. Returns when the user leaves.
        func run(on terminal: Terminal) async throws {
            let loop = TerminalLoop(terminal)
            let window = KooberWindow(
                self, redraw: { [weak loop] in loop?.setNeedsDrawing() }, quit: { [weak loop] in loop?.stop() })
            let following = Task { await window.follow() }
            defer { following.cancel() }
            start()
            do throws(TerminalError) {
                _ = try await loop.run(window)
            } catch {
                FileHandle.standardError.writeLine("error: \(error.localizedDescription)")
                throw ExitCode.failure
            }
        }
    }

    extension Terminal {
        static func forPassenger() throws -> Terminal {
            do throws(TerminalError) {
                return try Terminal()
            } catch {
                throw ValidationError("\(error.localizedDescription) Without one, use --script.")
            }
        }
    }
#endif

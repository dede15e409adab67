#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import KooberKit
    import KooberScreens
    import KooberTerminal
    import PouchTerminal

    // MARK: Terminal

    extension Architecture {
        /// Runs the app on a terminal. Returns when the user leaves.
        @MainActor
        func run(model: any KooberModelFactory, on terminal: Terminal) async throws {
            let app = makeApp(model: model)
            let loop = TerminalLoop(terminal)
            let window = KooberWindow(
                app, redraw: { [weak loop] in loop?.setNeedsDrawing() }, quit: { [weak loop] in loop?.stop() })
            let following = Task { await window.follow() }
            defer { following.cancel() }
            app.start()
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

    // MARK: Script

    extension Script {
        /// - Parameter path: `-` for standard input.
        init(path: String) throws {
            let data: Data?
            do {
                // A handle also reads pipes, which have no length.
                let file = try path == "-" ? .standardInput : FileHandle(forReadingFrom: URL(filePath: path))
                data = try file.readToEnd()
            } catch {
                throw ValidationError("The script \(path) cannot be read.")
            }
            do throws(ScriptError) {
                try self.init(String(decoding: data ?? Data(), as: UTF8.self))
            } catch {
                let problems = error.problems.map { "line \($0.line): \($0.text)" }
                throw ValidationError(problems.joined(separator: "\n"))
            }
        }

        /// Runs the script with a line on standard output for each screen.
        /// - Parameter timeout: in seconds, for each intention.
        @MainActor
        func run(
            in architecture: Architecture, model: any KooberModelFactory, timeout: Int, isVerbose: Bool
        ) async throws {
            let app = architecture.makeApp(model: model)
            let runner = ScriptRunner(app, limit: .seconds(timeout), isVerbose: isVerbose) { line in
                FileHandle.standardOutput.writeLine(line)
            }
            do throws(ScriptFailure) {
                try await runner.run(self)
            } catch {
                FileHandle.standardError.writeLine("error: \(error.text(timeout: timeout))")
                throw ExitCode.failure
            }
        }
    }

    extension ScriptFailure {
        fileprivate func text(timeout: Int) -> String {
            let problem =
                switch reason {
                case .notOffered(let line, let intention):
                    "line \(line): \(intention) was not offered within \(timeout) s."
                case .notEnded: "The last line did not finish within \(timeout) s."
                case .error: "The script ended on an error."
                }
            return problem + (screen.map { " The screen was: \($0)" } ?? "")
        }
    }
#endif

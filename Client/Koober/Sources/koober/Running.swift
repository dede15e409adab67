#if Program
    import ArgumentParser
    import Foundation
    import KooberKit
    import KooberRedux
    import KooberScreens
    import KooberTerminal
    import KooberTexts
    import PouchClient
    import PouchTerminal

    // MARK: Terminal

    extension Architecture {
        /// Runs the app on a terminal. Returns when the user quits.
        ///
        /// - Parameter place: the place where the user left the app; nil if it is not stored.
        @MainActor
        func run(
            model: any KooberModelFactory, _ options: AppOptions, from place: StoredPlace?, on terminal: Terminal
        ) async throws {
            let sizes = WindowSizes()
            let destination = if let link = options.open { link } else { await place?.read() }
            let app = try makeApp(
                model: model, options, opening: destination, windowSizes: sizes.stream, isRecording: true)
            let recording = (app as? ReduxApp)?.timeTravel
            let loop = TerminalLoop(terminal)
            let window = KooberWindow(
                app, language: options.chosenLanguage, recording: recording,
                export: { try store(recording: $0, at: place) }, resized: sizes.note,
                redraw: { [weak loop] in loop?.setNeedsDrawing() }, quit: { [weak loop] in loop?.stop() })
            let following = Task { await window.follow() }
            let storing = Task { [screens = app.screens(), weak app] in
                await place?.follow(screens) { recording?.showsPast == true ? nil : app?.screen }
            }
            defer {
                following.cancel()
                storing.cancel()
            }
            app.start()
            do throws(TerminalError) {
                _ = try await loop.run(window)
                await app.finish()
            } catch {
                FileHandle.standardError.writeLine("Error: \(error.localizedDescription)")
                throw ExitCode.failure
            }
        }
    }

    /// The sizes of the window. Streams keep only the latest one until it is read.
    @MainActor
    final class WindowSizes {
        private var latest: WindowSize?
        private var continuations: [AsyncStream<WindowSize>.Continuation] = []

        func stream() -> AsyncStream<WindowSize> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: WindowSize.self, bufferingPolicy: .bufferingNewest(1))
            if let latest { continuation.yield(latest) }
            continuations.append(continuation)
            return stream
        }

        func note(_ size: WindowSize) {
            guard size != latest else { return }
            latest = size
            continuations.removeAll { if case .terminated = $0.yield(size) { true } else { false } }
        }
    }

    extension Terminal {
        static func interactive() throws -> Terminal {
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
            in architecture: Architecture, model: any KooberModelFactory, _ options: AppOptions,
            opening destination: Destination?, timeout: Int, isVerbose: Bool
        ) async throws {
            let app = try architecture.makeApp(model: model, options, opening: destination)
            let runner = ScriptRunner(
                app, limit: .seconds(timeout), language: options.chosenLanguage, isVerbose: isVerbose
            ) { line in
                FileHandle.standardOutput.writeLine(line)
            }
            do throws(ScriptFailure) {
                try await runner.run(self)
            } catch {
                await app.finish()
                FileHandle.standardError.writeLine("Error: \(error.text(timeout: timeout))")
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
                case .covered(let line, let intention):
                    "line \(line): \(intention) was not offered, because an error covers the screen. Add ok before it."
                case .notEnded: "The last line did not finish within \(timeout) s."
                case .error: "The script ended with an error."
                }
            return problem + (screen.map { " The screen was: \($0)" } ?? "")
        }
    }
#endif

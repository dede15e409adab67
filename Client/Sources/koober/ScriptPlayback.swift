#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import KooberKit
    import KooberTerminal

    /// A script that is done, with a line on standard output for each screen.
    struct ScriptPlayback {
        let script: Script
        /// How long each intention may wait.
        let seconds: Int
        let isVerbose: Bool

        @MainActor
        func run(in architecture: Architecture, model: any KooberModelFactory) async throws {
            let app = architecture.makeApp(model: model)
            let runner = ScriptRunner(app, limit: .seconds(seconds), isVerbose: isVerbose) { line in
                FileHandle.standardOutput.write(Data((line + "\n").utf8))
            }
            do throws(ScriptFailure) {
                try await runner.run(script)
            } catch {
                Message.write("error: \(text(error))")
                throw ExitCode.failure
            }
        }

        private func text(_ failure: ScriptFailure) -> String {
            let wanted =
                switch failure.reason {
                case .notOffered(let line, let intention):
                    "line \(line): \(intention) was not offered within \(seconds) s."
                case .notEnded: "What the last line began has not ended within \(seconds) s."
                case .error: "The script ended on an error."
                }
            return wanted + (failure.screen.map { " The screen was: \($0)" } ?? "")
        }
    }
#endif

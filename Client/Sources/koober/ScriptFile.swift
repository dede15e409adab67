#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import KooberTerminal

    /// Where a script stands.
    struct ScriptFile {
        /// `-` for standard input.
        let path: String

        /// Reads all of it before anything is done.
        func read() throws -> Script {
            let text = try text
            do throws(ScriptError) {
                return try Script(text)
            } catch {
                let problems = error.problems.map { "\(path):\($0.line): \($0.text)" }
                throw ValidationError(problems.joined(separator: "\n"))
            }
        }

        private var text: String {
            get throws {
                let data: Data?
                do {
                    data =
                        try path == "-"
                        ? FileHandle.standardInput.readToEnd() : Data(contentsOf: URL(filePath: path))
                } catch {
                    throw ValidationError("The script \(path) cannot be read.")
                }
                return String(decoding: data ?? Data(), as: UTF8.self)
            }
        }
    }
#endif

#if TerminalPrograms
    import Foundation
    import Synchronization

    /// A bar on standard error while something long is going on; nothing where that is no terminal.
    final class ProgressBar: Sendable {
        private static let width = 32

        private let screen = Screen(STDERR_FILENO)
        private let label: String
        private let shown = Mutex("")

        init(_ label: String) {
            self.label = label
        }

        func show(_ done: Int64, of total: Int64) {
            guard total > 0 else { return }
            let percent = Int(min(100, max(0, Double(done) / Double(total) * 100)))
            let filled = percent * Self.width / 100
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
            show("\(bar) \(percent) %")
        }

        /// In place of what is shown; from any thread.
        func show(_ text: String) {
            guard screen.isTerminal else { return }
            shown.withLock { shown in
                guard shown != text else { return }
                shown = text
                screen.write("\r\u{1B}[K\(label) \(text)")
            }
        }

        /// Clears the line for what comes next.
        func end() {
            guard screen.isTerminal else { return }
            screen.write("\r\u{1B}[K")
        }
    }
#endif

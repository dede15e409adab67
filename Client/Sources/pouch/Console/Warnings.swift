#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import Synchronization

    /// Prints warnings to standard error: at once or, while `held` runs, when that has ended, so that they do not
    /// appear on a full-screen page.
    final class Warnings: Sendable {
        /// The maximum number of warnings to hold back, so that a broken catalogue does not fill the memory.
        private static let limit = 100

        private struct Held {
            var isHolding = false
            /// Each text once. It stays here after it was printed, so that reading the same row again does not repeat
            /// it.
            var texts: [String] = []
            var hasMore = false

            /// - Returns: whether to print the text now.
            mutating func add(_ text: String) -> Bool {
                guard !texts.contains(text) else { return false }
                guard isHolding else { return true }
                if texts.count < Warnings.limit { texts.append(text) } else { hasMore = true }
                return false
            }
        }

        private let console: Console
        private let held = Mutex(Held())

        init(_ console: Console) {
            self.console = console
        }

        func warn(of row: RowReport) {
            let text = "row \(row.row) of \(row.list) was skipped: \(row.reason)"
            if held.withLock({ $0.add(text) }) { print(text) }
        }

        /// Holds warnings back until the closure returns.
        func held(during work: () async throws -> Void) async rethrows {
            held.withLock { $0 = Held(isHolding: true) }
            defer { printHeld() }
            try await work()
        }

        private func printHeld() {
            let held = held.withLock { held in
                held.isHolding = false
                return held
            }
            for text in held.texts { print(text) }
            if held.hasMore { print("more than \(Self.limit) warnings; the rest are not shown") }
        }

        private func print(_ text: String) {
            console.print([.line(StyledText("warning: \(text)", .yellow))])
        }
    }
#endif

#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import Synchronization

    /// What went wrong beside what was asked for, on standard error: at once, or after what must not be disturbed.
    final class Warnings: Sendable {
        /// Of those that wait, so that a broken catalogue does not fill the memory.
        private static let limit = 100

        private struct Held {
            var isOpen = false
            /// Each once, also where what is read again warns again when they have been shown.
            var texts: [String] = []
            var hasMore = false

            /// - Returns: whether it is to be shown at once.
            mutating func take(_ text: String) -> Bool {
                guard !texts.contains(text) else { return false }
                guard isOpen else { return true }
                if texts.count < Warnings.limit { texts.append(text) } else { hasMore = true }
                return false
            }
        }

        private let screen: Screen
        private let held = Mutex(Held())

        init(_ screen: Screen) {
            self.screen = screen
        }

        func warn(of row: RowReport) {
            warn("row \(row.row) of \(row.list) was left out: \(row.reason)")
        }

        func warn(_ text: String) {
            if held.withLock({ $0.take(text) }) { show(text) }
        }

        /// Keeps them back until the closure has ended.
        func held(during work: () async throws -> Void) async rethrows {
            held.withLock { $0 = Held(isOpen: true) }
            defer { showHeld() }
            try await work()
        }

        private func showHeld() {
            let held = held.withLock { held in
                held.isOpen = false
                return held
            }
            for text in held.texts { show(text) }
            if held.hasMore { show("there were more than these \(Self.limit)") }
        }

        private func show(_ text: String) {
            screen.show([.line(StyledText("warning: \(text)", .yellow))])
        }
    }
#endif

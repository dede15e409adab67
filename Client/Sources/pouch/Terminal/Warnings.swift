#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import Synchronization

    /// What went wrong beside what was asked for, on standard error: at once, or after what must not be disturbed.
    final class Warnings: Sendable {
        /// Of those that wait, so that a broken catalogue does not fill the memory.
        private static let limit = 100

        private struct Held {
            /// Each once: what is read again warns again.
            var texts: [String] = []
            var hasMore = false

            mutating func add(_ text: String) {
                guard !texts.contains(text) else { return }
                if texts.count < Warnings.limit { texts.append(text) } else { hasMore = true }
            }
        }

        private let screen: Screen
        /// nil while nothing is to be kept back.
        private let held = Mutex<Held?>(nil)

        init(_ screen: Screen) {
            self.screen = screen
        }

        func warn(of row: RowReport) {
            warn("row \(row.row) of \(row.list) was left out: \(row.reason)")
        }

        func warn(_ text: String) {
            let isHeld = held.withLock { held in
                held?.add(text)
                return held != nil
            }
            if !isHeld { show(text) }
        }

        /// Keeps them back until the closure has ended.
        func held(during work: () async throws -> Void) async rethrows {
            held.withLock { $0 = Held() }
            defer { showHeld() }
            try await work()
        }

        private func showHeld() {
            guard let held = held.withLock({ $0.take() }) else { return }
            for text in held.texts { show(text) }
            if held.hasMore { show("there were more than these \(Self.limit)") }
        }

        private func show(_ text: String) {
            screen.show([.line(StyledText("warning: \(text)", .yellow))])
        }
    }
#endif

#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import Synchronization

    /// What went wrong beside what was asked for, on standard error: at once, or after what must not be disturbed.
    final class Warnings: Sendable {
        /// Of those that wait, so that a broken catalogue does not fill the memory.
        private static let limit = 100

        private let screen: Screen
        /// nil while nothing is to be kept back.
        private let held = Mutex<[String]?>(nil)

        init(_ screen: Screen) {
            self.screen = screen
        }

        func warn(of row: RowReport) {
            warn("row \(row.row) of \(row.list) was left out: \(row.reason)")
        }

        func warn(_ text: String) {
            let isHeld = held.withLock { held in
                guard let texts = held else { return false }
                if texts.count < Self.limit { held?.append(text) }
                return true
            }
            if !isHeld { show(text) }
        }

        /// Keeps them back until the closure has ended.
        func held(during work: () async throws -> Void) async rethrows {
            held.withLock { $0 = [] }
            defer { for text in held.withLock({ $0.take() }) ?? [] { show(text) } }
            try await work()
        }

        private func show(_ text: String) {
            screen.show([.line(StyledText("warning: \(text)", .yellow))])
        }
    }
#endif

#if TerminalPrograms
    import PouchClient
    import Synchronization
    import PouchTerminal

    /// Tells on standard error which rows of a list were left out, at once, or after what must not be disturbed.
    final class RowWarnings: Sendable {
        /// Of those that wait, so that a broken catalogue does not fill the memory.
        private static let limit = 100

        private let screen: Screen
        /// nil while nothing is to be kept back.
        private let held = Mutex<[RowReport]?>(nil)

        init(_ screen: Screen) {
            self.screen = screen
        }

        func report(_ row: RowReport) {
            let isHeld = held.withLock { held in
                guard let rows = held else { return false }
                if rows.count < Self.limit { held?.append(row) }
                return true
            }
            if !isHeld { show(row) }
        }

        /// Keeps them back until the closure has ended.
        func held(during work: () async throws -> Void) async rethrows {
            held.withLock { $0 = [] }
            defer { for row in held.withLock({ $0.take() }) ?? [] { show(row) } }
            try await work()
        }

        private func show(_ row: RowReport) {
            screen.show([
                .line(StyledText("warning: row \(row.row) of \(row.list) was left out: \(row.reason)", .yellow))
            ])
        }
    }
#endif

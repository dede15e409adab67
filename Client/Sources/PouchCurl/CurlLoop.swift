#if os(Linux)
    import CLibcurl
    import Foundation
    import PouchNetwork
    import Synchronization

    /// Runs the transfers of one transport on a thread, which exists while there are transfers and for a moment longer.
    final class CurlLoop: Sendable {
        typealias Id = UInt64

        private enum Command: Sendable {
            case start(Id, @Sendable () -> CurlTransfer?)
            case cancel(Id)
            case resume(Id)
        }

        private struct State {
            var commands: [Command] = []
            var hasThread = false
            var isStopping = false
        }

        private static let isLoaded = libcurl_load() != 0
        /// An idle thread waits this long before it ends.
        private static let linger = Duration.milliseconds(500)
        /// In milliseconds. libcurl returns earlier when one of its timers is due.
        private static let longestPoll: Int32 = 60_000
        private static let maxKeptConnections = 64

        /// Used by the thread alone, except for `libcurl_multi_wakeup`, which any thread may call.
        private nonisolated(unsafe) let multi: UnsafeMutableRawPointer
        private let lastId = Atomic<Id>(0)
        private let state = Mutex(State())

        /// - Returns: nil if the system has no libcurl, or one that is too old.
        init?() {
            guard Self.isLoaded, let multi = libcurl_multi_init() else { return nil }
            libcurl_multi_set_long(multi, CurlOption.maxConnections, Self.maxKeptConnections)
            self.multi = multi
        }

        deinit {
            // Closes the kept connections. The thread, which holds the loop, has ended, so that this may be any thread.
            blockingSIGPIPE { libcurl_multi_cleanup(multi) }
        }

        func makeId() -> Id { lastId.wrappingAdd(1, ordering: .relaxed).newValue }

        /// - Parameter makeTransfer: called on the loop's thread. If it returns nil, it has reported the failure.
        func start(_ id: Id, _ makeTransfer: @escaping @Sendable () -> CurlTransfer?) {
            enqueue(.start(id, makeTransfer))
        }

        func cancel(_ id: Id) { enqueue(.cancel(id)) }

        /// Continues a transfer that was paused: its reader has caught up, or the next part of its file was read.
        func resume(_ id: Id) { enqueue(.resume(id)) }

        /// Ends the thread as soon as there is no transfer.
        func stop() {
            state.withLock { $0.isStopping = true }
            libcurl_multi_wakeup(multi)
        }

        private func enqueue(_ command: Command) {
            let needsThread = state.withLock { state in
                // Without a thread there is no transfer that could be cancelled or resumed.
                if case .start = command {} else if !state.hasThread { return false }
                state.commands.append(command)
                return !exchange(&state.hasThread, with: true)
            }
            if needsThread {
                Thread.detachNewThread { blockingSIGPIPE { self.run() } }
            } else {
                libcurl_multi_wakeup(multi)
            }
        }

        // MARK: - The thread

        /// The transfers under way, by their ids and by libcurl's handles.
        private struct Transfers {
            private var transfers: [Id: CurlTransfer] = [:]
            private var ids: [UnsafeMutableRawPointer: Id] = [:]

            var isEmpty: Bool { transfers.isEmpty }

            subscript(id: Id) -> CurlTransfer? { transfers[id] }

            mutating func add(_ transfer: CurlTransfer, _ id: Id) {
                transfers[id] = transfer
                ids[transfer.easy] = id
            }

            mutating func remove(_ id: Id) -> CurlTransfer? {
                guard let transfer = transfers.removeValue(forKey: id) else { return nil }
                ids[transfer.easy] = nil
                return transfer
            }

            mutating func remove(handle easy: UnsafeMutableRawPointer) -> CurlTransfer? {
                ids[easy].flatMap { remove($0) }
            }
        }

        private func run() {
            var transfers = Transfers()
            var idleSince: ContinuousClock.Instant?
            while true {
                for command in state.withLock({ exchange(&$0.commands, with: []) }) {
                    execute(command, on: &transfers)
                }
                libcurl_multi_perform(multi)
                removeEnded(from: &transfers)
                guard transfers.isEmpty else {
                    idleSince = nil
                    libcurl_multi_poll(multi, Self.longestPoll)
                    continue
                }
                let idle = idleSince.map { .now - $0 } ?? .zero
                idleSince = idleSince ?? .now
                if stopIfIdle(for: idle) { return }
                libcurl_multi_poll(multi, Int32(max(.zero, Self.linger - idle) / .milliseconds(1)) + 1)
            }
        }

        private func stopIfIdle(for idle: Duration) -> Bool {
            state.withLock { state in
                guard state.commands.isEmpty, state.isStopping || idle >= Self.linger else { return false }
                state.hasThread = false
                return true
            }
        }

        private func execute(_ command: Command, on transfers: inout Transfers) {
            switch command {
            case .start(let id, let makeTransfer):
                guard let transfer = makeTransfer() else { return }
                let code = libcurl_multi_add(multi, transfer.easy)
                guard code == 0 else {
                    transfer.exchange.end(.failure(.notSent("libcurl loop error \(code)")))
                    return
                }
                transfers.add(transfer, id)
            case .cancel(let id):
                // Its exchange has ended. The transfer must outlive the call, because it frees its handle.
                guard let transfer = transfers.remove(id) else { return }
                withExtendedLifetime(transfer) { _ = libcurl_multi_remove(multi, transfer.easy) }
            case .resume(let id):
                transfers[id]?.resume()
            }
        }

        private func removeEnded(from transfers: inout Transfers) {
            var code: Int32 = 0
            while let easy = libcurl_multi_next_ended(multi, &code) {
                libcurl_multi_remove(multi, easy)
                guard let transfer = transfers.remove(handle: easy) else { continue }
                transfer.exchange.end(transfer.result(code))
            }
        }
    }

    /// Runs work with the thread's SIGPIPE blocked. A write to a connection that the server has closed raises it, and
    /// by default it ends the process.
    private func blockingSIGPIPE(_ work: () -> Void) {
        var (pipe, before) = (sigset_t(), sigset_t())
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        work()
        // Takes a signal that waits, which would otherwise be delivered now.
        var now = timespec()
        sigtimedwait(&pipe, nil, &now)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
#endif

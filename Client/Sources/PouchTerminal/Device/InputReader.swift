import Foundation

/// Reads from a terminal on a thread of its own, because reading blocks.
///
/// The thread also waits for a pipe, through which signal handlers and `stop` wake it.
final class InputReader: Sendable {
    /// The bytes of the pipe, one for each reason to wake.
    enum Wake {
        static let stop = UInt8(ascii: "q")
        static let resized = UInt8(ascii: "w")
        static let overwritten = UInt8(ascii: "c")
    }

    /// The end of the pipe to write a `Wake` byte to. Writing never blocks.
    let wake: Int32
    private let input: Int32
    private let woken: Int32
    private let isDone = DispatchSemaphore(value: 0)

    init(_ input: Int32) throws(TerminalError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        self.input = input
        (woken, wake) = (ends[0], ends[1])
    }

    deinit {
        close(woken)
        close(wake)
    }

    func start(_ receive: @escaping @Sendable (TerminalInput) -> Void) {
        Thread.detachNewThread { [self] in
            SignalHandlers.unblock()
            read(receive)
            isDone.signal()
        }
    }

    /// Returns when the thread has ended, after at most the read in progress.
    func stop() {
        var byte = Wake.stop
        _ = write(wake, &byte, 1)
        isDone.wait()
    }

    private func read(_ receive: (TerminalInput) -> Void) {
        var chunk = [UInt8](repeating: 0, count: 4096)
        var sources = [
            pollfd(fd: woken, events: Int16(POLLIN), revents: 0), pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&sources, nfds_t(sources.count), -1) >= 0 || errno == EINTR else { return receive(.closed) }
            if sources[0].revents != 0 {
                let count = Foundation.read(woken, &chunk, chunk.count)
                let reasons = chunk.prefix(max(0, count))
                if reasons.contains(Wake.stop) { return }
                if reasons.contains(Wake.overwritten) { receive(.overwritten) }
                if reasons.contains(Wake.resized) { receive(.resized) }
            }
            guard sources[1].revents != 0 else { continue }
            let count = Foundation.read(input, &chunk, chunk.count)
            if count > 0 {
                receive(.bytes(Array(chunk[..<count])))
            } else if count == 0 || ![EINTR, EAGAIN].contains(errno) {
                receive(.closed)
                // From now on, the thread waits only for `stop`.
                sources[1].fd = -1
            }
        }
    }
}

import Foundation

/// Reads from a terminal on a thread of its own, since that blocks.
///
/// Beside the input the thread waits for a pipe, through which signal handlers and `stop` reach it.
final class InputReader: Sendable {
    /// One byte each through the pipe.
    enum Wake {
        static let stop = UInt8(ascii: "q")
        static let resized = UInt8(ascii: "w")
        static let overwritten = UInt8(ascii: "c")
    }

    /// Where a byte wakes the thread; writing to it never blocks.
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

    func start(_ take: @escaping @Sendable (TerminalInput) -> Void) {
        Thread.detachNewThread { [self] in
            SignalHandlers.unblock()
            read(take)
            isDone.signal()
        }
    }

    /// Returns when the thread has ended, which takes no longer than what is under way.
    func stop() {
        var byte = Wake.stop
        _ = write(wake, &byte, 1)
        isDone.wait()
    }

    private func read(_ take: (TerminalInput) -> Void) {
        var chunk = [UInt8](repeating: 0, count: 4096)
        var sources = [
            pollfd(fd: woken, events: Int16(POLLIN), revents: 0), pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&sources, nfds_t(sources.count), -1) >= 0 || errno == EINTR else { return take(.closed) }
            if sources[0].revents != 0 {
                let count = Foundation.read(woken, &chunk, chunk.count)
                let signals = chunk.prefix(max(0, count))
                if signals.contains(Wake.stop) { return }
                if signals.contains(Wake.overwritten) { take(.overwritten) }
                if signals.contains(Wake.resized) { take(.resized) }
            }
            guard sources[1].revents != 0 else { continue }
            let count = Foundation.read(input, &chunk, chunk.count)
            if count > 0 {
                take(.bytes(Array(chunk[..<count])))
            } else if count == 0 || ![EINTR, EAGAIN].contains(errno) {
                take(.closed)
                // Only `stop` is awaited now.
                sources[1].fd = -1
            }
        }
    }
}

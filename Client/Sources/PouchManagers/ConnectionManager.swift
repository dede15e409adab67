import PouchData

/// Knows whether the server answers, from what becomes of each call.
///
/// While it does not, and somebody follows, it is asked again and again, with longer and longer pauses. Where nobody does,
/// nothing runs.
public actor ConnectionManager {
    private let data: DataManager
    private let firstPause: Duration
    private let longestPause: Duration
    private let clock: any Clock<Duration>
    private let random: @Sendable () -> Double
    private let current = CurrentValue(Connection.online)
    private var asking: Task<Void, Never>?
    private var nextPause: Duration

    /// The first pause is before the server is first asked whether it is back; each later one is twice as long. By `random`,
    /// from 0 to 1, a pause is shortened to between half and the whole, so that the clients of a server do not all come back
    /// at once.
    public init(
        data: DataManager,
        firstPause: Duration = .seconds(1),
        longestPause: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.data = data
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.clock = clock
        self.random = random
        nextPause = firstPause
        data.onContact { [weak self] in self?.note($0) }
    }

    deinit {
        asking?.cancel()
    }

    public nonisolated var connection: Connection { current.value }

    /// The connection as it is, then each change.
    public nonisolated func connections() -> AsyncStream<Connection> {
        let connections = current.values()
        if connection == .offline { Task { await ask() } }
        return connections
    }

    private nonisolated func note(_ answered: Bool) {
        guard current.replace(answered ? .online : .offline), !answered else { return }
        Task { await askAnew() }
    }

    /// The pauses begin with the shortest again.
    private func askAnew() {
        asking?.cancel()
        asking = nil
        ask()
    }

    private func ask() {
        guard asking == nil else { return }
        nextPause = firstPause
        asking = Task { [weak self, clock] in
            while let pause = await self?.pause() {
                guard (try? await clock.sleep(for: pause)) != nil else { return }
                await self?.askOnce()
            }
        }
    }

    /// nil when there is no need to ask any more.
    private func pause() -> Duration? {
        guard !Task.isCancelled else { return nil }
        guard connection == .offline, current.isFollowed else {
            asking = nil
            return nil
        }
        defer { nextPause = min(nextPause * 2, longestPause) }
        return nextPause * (1 + random()) / 2
    }

    /// The answer comes by way of `note`.
    private func askOnce() async {
        guard connection == .offline, current.isFollowed else { return }
        if data.readsFeed { try? await data.feedReady() } else { try? await data.healthReady() }
    }
}

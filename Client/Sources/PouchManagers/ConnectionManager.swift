import PouchData

/// The availability of the shop's server.
public enum Connection: Sendable, Hashable {
    /// The last call was answered, or none was made.
    case online
    /// The server could not be reached, or a proxy reported that it is down.
    case offline
}

/// Observes the outcome of every call to track whether the server responds. While it is offline and there are
/// subscribers, it is requested repeatedly, with growing pauses.
public actor ConnectionManager {
    private let data: DataManager
    private let firstPause: Duration
    private let longestPause: Duration
    private let clock: any Clock<Duration>
    private let random: @Sendable () -> Double
    private let current = CurrentValue(Connection.online)
    private var asking: Task<Void, Never>?
    private var nextPause: Duration

    /// - Parameters:
    ///   - firstPause: the pause before the first request. Each later pause is twice as long.
    ///   - random: returns a number from 0 to 1, which shortens a pause by up to half, so that the clients of a server
    ///     do not all return at once.
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
        data.onContact { [weak self] in self?.noteContact(answered: $0) }
    }

    deinit {
        asking?.cancel()
    }

    public nonisolated var connection: Connection { current.value }

    /// The current connection, and again after each change.
    public nonisolated func connections() -> AsyncStream<Connection> {
        let connections = current.values()
        if connection == .offline { Task { await startAsking() } }
        return connections
    }

    private nonisolated func noteContact(answered: Bool) {
        guard current.replace(answered ? .online : .offline), !answered else { return }
        Task { await restartAsking() }
    }

    private func restartAsking() {
        asking?.cancel()
        asking = nil
        startAsking()
    }

    private func startAsking() {
        guard asking == nil else { return }
        nextPause = firstPause
        asking = Task { [weak self, clock] in
            while let pause = await self?.pause() {
                guard (try? await clock.sleep(for: pause)) != nil else { return }
                await self?.ask()
            }
        }
    }

    /// The next pause; nil if no further request is needed.
    private func pause() -> Duration? {
        guard !Task.isCancelled else { return nil }
        guard connection == .offline, current.hasSubscribers else {
            asking = nil
            return nil
        }
        defer { nextPause = min(nextPause * 2, longestPause) }
        return nextPause * (1 + random()) / 2
    }

    /// `noteContact` receives the outcome.
    private func ask() async {
        guard connection == .offline, current.hasSubscribers else { return }
        try? await data.ready()
    }
}

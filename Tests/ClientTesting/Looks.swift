/// The looks of a test at a condition that has no event.
///
///     var looks = Looks()
///     while !isShown { try await looks.pause() }
package struct Looks: Sendable {
    /// The looks that follow each other at once: most conditions hold after a few turns of other tasks.
    private static let quick = 100
    /// Ends what hangs. The machine may be busy, so that it decides nothing else.
    private static let deadline = Duration.seconds(240)

    private let end = ContinuousClock.now + Looks.deadline
    private var count = 0

    package init() {}

    /// Lets other tasks run before the next look. After the first looks it leaves the processors to other tests.
    ///
    /// - Throws: `DeadlinePassed`; `CancellationError`, as when the time limit of the test is reached.
    package mutating func pause() async throws {
        try Task.checkCancellation()
        guard ContinuousClock.now < end else { throw DeadlinePassed() }
        count += 1
        if count < Self.quick { await Task.yield() } else { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// The condition did not hold in time.
    package struct DeadlinePassed: Error, CustomStringConvertible {
        public var description: String { "The condition did not hold within \(Looks.deadline)." }
    }
}

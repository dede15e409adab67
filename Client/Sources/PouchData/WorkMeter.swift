/// Tells how long the steps of reading a catalogue take, for benchmarks.
public struct WorkMeter: Sendable {
    public enum Step: Sendable, Hashable, CaseIterable {
        /// From JSON to rows.
        case decoding
        /// From rows to the model.
        case converting
        /// Into the local store.
        case storing
    }

    private let report: (@Sendable (Step, Duration) -> Void)?

    /// - Parameter report: nil measures nothing.
    public init(_ report: (@Sendable (Step, Duration) -> Void)? = nil) {
        self.report = report
    }

    func time<Value, Failure>(_ step: Step, _ work: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard let report else { return try work() }
        let start = ContinuousClock.now
        defer { report(step, start.duration(to: .now)) }
        return try work()
    }

    public func time<Value: Sendable, Failure>(
        _ step: Step, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let report else { return try await work() }
        let start = ContinuousClock.now
        defer { report(step, start.duration(to: .now)) }
        return try await work()
    }
}

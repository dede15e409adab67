import Testing

/// Polls the condition until it holds.
///
/// - Parameter deadline: generous, since the machine may be busy. Time limits of the product are not tested with it.
func eventually(
    within deadline: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + deadline
    while ContinuousClock.now < end {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("The condition did not hold within \(deadline).", sourceLocation: sourceLocation)
    throw DeadlinePassed()
}

struct DeadlinePassed: Error {}

/// Runs the operation `count` times concurrently.
///
/// - Returns: the results, in the order of the operations' numbers, which start at 0.
func parallel<Value: Sendable>(
    _ count: Int, _ operation: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for index in 0..<count { group.addTask { (index, try await operation(index)) } }
        var results: [(index: Int, value: Value)] = []
        for try await result in group { results.append(result) }
        return results.sorted { $0.index < $1.index }.map(\.value)
    }
}

/// Carries a value out of a closure that runs on any thread.
actor Box<Value: Sendable> {
    private(set) var value: Value?

    func set(_ value: Value?) {
        self.value = value
    }
}

import Testing

/// Asks again and again until the answer is yes.
///
/// - Parameter deadline: generous, since a machine may be busy; a promise about time is not tested with it.
func eventually(
    within deadline: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + deadline
    while ContinuousClock.now < end {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("It did not come about within \(deadline).", sourceLocation: sourceLocation)
    throw DeadlinePassed()
}

struct DeadlinePassed: Error {}

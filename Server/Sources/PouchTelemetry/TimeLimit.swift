/// Runs work that may not end when it is cancelled, such as a transaction or the resolution of a name.
///
/// After the time limit, or when the caller is cancelled, the work is cancelled and goes on alone. A task group would
/// wait for its end.
///
/// - Parameter error: thrown after the time limit.
/// - Throws: the error of the work, the one of the time limit, or `CancellationError` when the caller is cancelled.
public func withTimeLimit<Value: Sendable>(
    _ limit: Duration, throwing error: any Error = CancellationError(),
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let (outcomes, report) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
    let working = Task {
        do {
            report.yield(.success(try await work()))
        } catch {
            report.yield(.failure(error))
        }
    }
    let alarm = Task {
        try await Task.sleep(for: limit)
        report.yield(.failure(error))
    }
    defer {
        working.cancel()
        alarm.cancel()
    }
    for await outcome in outcomes { return try outcome.get() }
    throw CancellationError()
}

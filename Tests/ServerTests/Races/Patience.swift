import PouchContract
import PouchEntities
import PouchWire
import Testing

/// Sends again what the server puts off, after the time that it asks for: what it has no room for, and a key whose first
/// request is still running.
///
/// - Parameter send: has to send the same key each time, if it sends one.
func patiently<Value>(_ send: () async throws -> Answered<Value>) async throws -> Answered<Value> {
    for _ in 0..<30 {
        let answer = try await send()
        guard answer.status == 503 || answer.status == 409, answer.header(HeaderName.shouldRetry) == "true" else {
            return answer
        }
        try answer.problem(answer.status == 503 ? .overloaded : .idempotencyKeyInUse)
        let seconds = try #require(answer.header(HeaderName.retryAfter).flatMap(Int.init))
        try await Task.sleep(for: .seconds(seconds))
    }
    throw DeadlinePassed()
}

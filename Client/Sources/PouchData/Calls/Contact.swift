import PouchService
import Synchronization

/// Reports whether the shop responded, from the outcomes of calls.
final class ContactReporter: Sendable {
    /// A structure, because a bare closure is wrapped once more each time it is read from a Mutex.
    private struct Handler {
        let call: @Sendable (_ answered: Bool) -> Void
    }

    private let handler = Mutex<Handler?>(nil)

    /// A later handler replaces an earlier one.
    func onContact(_ handler: @escaping @Sendable (_ answered: Bool) -> Void) {
        self.handler.withLock { $0 = Handler(call: handler) }
    }

    /// - Parameter answered: nil if unknown.
    func report(_ answered: Bool?) {
        if let answered { handler.withLock { $0 }?.call(answered) }
    }

    /// Makes a call, and reports whether the shop answered it.
    func reporting(
        _ call: @autoclosure () async throws(ServiceError) -> ServiceAnswer
    ) async throws(DataError) -> ServiceAnswer {
        try await reporting(try await call()) { $0.serverAnswered }
    }

    /// - Parameter answered: whether a result is the shop's answer; nil if unknown.
    func reporting<Value>(
        _ call: @autoclosure () async throws(ServiceError) -> Value, answered: (Value) -> Bool?
    ) async throws(DataError) -> Value {
        do throws(ServiceError) {
            let value = try await call()
            report(answered(value))
            return value
        } catch {
            report(error.serverAnswered)
            throw DataError(error)
        }
    }
}

extension ServiceAnswer {
    /// nil if no request was sent.
    fileprivate var serverAnswered: Bool? { staleness.map(\.cause.serverAnswered) ?? (isFromCache ? nil : true) }
}

extension ServiceError {
    /// nil if the error does not show it.
    var serverAnswered: Bool? {
        switch reason {
        // An unreadable answer is that of another program.
        case .unreachable, .connectionLost, .timedOut, .unreadable: false
        // A gateway before a server of plain files.
        case .refused where problem == nil && [502, 503, 504].contains(status): false
        default: status == nil ? nil : true
        }
    }
}

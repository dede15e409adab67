import PouchService
import Synchronization

/// Reports to one handler, which may be set at any time, whether the server answers.
final class ServerContact: Sendable {
    /// A struct, since a bare closure is wrapped once more each time it is read from a Mutex: each call would be slower
    /// than the one before.
    private struct Handler: Sendable {
        let call: @Sendable (_ answered: Bool) -> Void
    }

    private let handler = Mutex<Handler?>(nil)

    func setHandler(_ handler: @escaping @Sendable (_ answered: Bool) -> Void) {
        self.handler.withLock { $0 = Handler(call: handler) }
    }

    /// - Parameter answered: nil, which is not reported, where it is unknown.
    func report(_ answered: Bool?) {
        if let answered { handler.withLock { $0 }?.call(answered) }
    }
}

extension ServiceAnswer {
    /// nil where the server was not asked.
    var serverAnswered: Bool? { staleness.map(\.cause.serverAnswered) ?? (isFromCache ? nil : true) }
}

extension ServiceError {
    /// nil where the error does not show it.
    var serverAnswered: Bool? {
        switch reason {
        case .unreachable, .timedOut: false
        // A gateway in between answers that the server is away.
        case _ where problem == nil && [502, 503, 504].contains(status): false
        default: status == nil ? nil : true
        }
    }
}

import PouchService
import Synchronization

/// Who is told whether the server answers; may be set at any time.
final class ContactObserver: Sendable {
    /// In a structure, since a bare closure gets one more wrapping each time that it is read from a Mutex: each call would
    /// be slower than the one before.
    private struct Handler: Sendable {
        let call: @Sendable (_ answered: Bool) -> Void
    }

    private let handler = Mutex<Handler?>(nil)

    func set(_ handler: @escaping @Sendable (_ answered: Bool) -> Void) {
        self.handler.withLock { $0 = Handler(call: handler) }
    }

    func tell(_ answered: Bool) {
        handler.withLock { $0 }?.call(answered)
    }
}

extension ServiceAnswer {
    /// Whether the shop's server answered; nil where it was not asked.
    var isAnswer: Bool? { staleness.map(\.cause.isAnswer) ?? (isFromCache ? nil : true) }
}

extension ServiceError {
    /// Whether the shop's server answered; nil where the error does not tell.
    var isAnswer: Bool? {
        switch reason {
        case .unreachable, .timedOut: false
        // What stands between says that it is away.
        case _ where problem == nil && [502, 503, 504].contains(status): false
        default: status == nil ? nil : true
        }
    }
}

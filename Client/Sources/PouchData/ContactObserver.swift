import PouchService
import Synchronization

/// Who is told whether the server answers; may be set at any time.
final class ContactObserver: Sendable {
    private let handler = Mutex<(@Sendable (_ answered: Bool) -> Void)?>(nil)

    func set(_ handler: @escaping @Sendable (_ answered: Bool) -> Void) {
        self.handler.withLock { $0 = handler }
    }

    func tell(_ answered: Bool) {
        handler.withLock { $0 }?(answered)
    }
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

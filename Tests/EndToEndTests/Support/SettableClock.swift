import Foundation
import PouchDomain
import Synchronization

/// A server's clock that stands still until a test moves it. Begins at the machine's time, in whole seconds, so that its
/// tokens are good for clients with a clock of their own.
final class SettableClock: TimeSource {
    private let time = Mutex(Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded()))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) {
        time.withLock { $0.addTimeInterval(seconds) }
    }

    /// Never back.
    func advance(to moment: Date) {
        time.withLock { $0 = max($0, moment) }
    }
}

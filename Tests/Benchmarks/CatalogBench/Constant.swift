import Hummingbird
import Synchronization

/// The constant answer, which becomes known when the shop has given the page once.
final class Constant: Sendable {
    private let page = Mutex<PageBytes?>(nil)

    func set(_ page: PageBytes) {
        self.page.withLock { $0 = page }
    }

    var response: Response {
        page.withLock { $0 }?.response ?? Response(status: .serviceUnavailable)
    }
}

import PouchAsyncHTTPClient
import PouchNetwork

/// The transports that must behave alike.
enum SomeTransport: CaseIterable {
    case urlSession
    case asyncHTTPClient

    func make() throws -> any Transport {
        switch self {
        case .urlSession: URLSessionTransport()
        case .asyncHTTPClient: try AsyncHTTPClientTransport()
        }
    }
}

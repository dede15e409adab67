import PouchAsyncHTTPClient
import PouchNetwork

/// The transports that must behave alike.
enum SomeTransport: CaseIterable {
    case urlSession
    case asyncHTTPClient

    func make(trust: ServerTrust = .system) throws -> any Transport {
        switch self {
        case .urlSession: try URLSessionTransport(trust: trust)
        case .asyncHTTPClient: try AsyncHTTPClientTransport(trust: trust)
        }
    }
}

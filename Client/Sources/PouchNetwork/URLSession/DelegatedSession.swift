import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A URLSession with its delegate, without cookies, caches or stored credentials.
final class DelegatedSession: Sendable {
    private let session: URLSession
    private let exchanges: URLSessionExchanges

    init(trust: ServerTrust) {
        exchanges = URLSessionExchanges(trust: trust)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        // How many requests run at once is decided above. Those that wait here do so in any order, and their timeout runs.
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        // The session keeps itself and its delegate alive until it is told to end.
        session.finishTasksAndInvalidate()
    }

    func send(_ request: URLRequest) -> URLSessionExchange {
        exchanges.open(session.dataTask(with: request), onProgress: nil)
    }

    func send(_ request: URLRequest, with upload: FileUpload) -> URLSessionExchange {
        exchanges.open(session.uploadTask(with: request, fromFile: upload.file), onProgress: upload.onProgress)
    }
}

import Foundation
import Synchronization

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
        // `NetworkQueue` bounds the requests. Those that wait here would run in any order, with their timeout running.
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        // A session keeps itself and its delegate alive until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    func send(_ request: URLRequest) -> URLSessionExchange {
        exchanges.open(session.dataTask(with: request), onProgress: nil)
    }

    func send(_ request: URLRequest, with upload: FileUpload) -> URLSessionExchange {
        exchanges.open(session.uploadTask(with: request, fromFile: upload.file), onProgress: upload.onProgress)
    }
}

/// The session's delegate, which passes each event to the exchange of its task.
///
/// The convenience methods of URLSession are no alternative: on Linux they never return after a Basic challenge or a
/// refused redirect, while a delegate is called for both.
private final class URLSessionExchanges: NSObject, Sendable {
    private let trust: ServerTrust
    private let exchanges = Mutex<[Int: URLSessionExchange]>([:])

    init(trust: ServerTrust) {
        self.trust = trust
    }

    func open(
        _ task: URLSessionTask, onProgress: (@Sendable (Int64, Int64) -> Void)?
    ) -> URLSessionExchange {
        let exchange = URLSessionExchange(task, onProgress: onProgress)
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
        return exchange
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }
}

extension URLSessionExchanges: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.completed(with: error)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Security)
            if let presented = challenge.protectionSpace.serverTrust, trust != .system {
                if trust.accepts(presented) {
                    return completionHandler(.useCredential, URLCredential(trust: presented))
                }
                exchange(of: task)?.cancel(as: .untrusted("not what was pinned"))
                return completionHandler(.cancelAuthenticationChallenge, nil)
            }
        #endif
        let passwordMethods = [
            NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodHTMLForm,
        ]
        guard passwordMethods.contains(challenge.protectionSpace.authenticationMethod) else {
            return completionHandler(.performDefaultHandling, nil)
        }
        exchange(of: task)?.rejectedChallenge()
        completionHandler(.rejectProtectionSpace, nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The session's delegate: tells each exchange what arrives for its task.
///
/// The convenience methods of URLSession are no way around it: on Linux they never return after a challenge for Basic
/// or a refused redirect, while a delegate hears of both.
final class URLSessionExchanges: NSObject, Sendable {
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

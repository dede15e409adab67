import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport over a URLSession of its own, without cookies, caches or stored credentials.
///
/// It never answers a challenge for a name and password (Basic, Digest and others): the 401 is returned unchanged.
/// Compressed bodies are returned decompressed, and repeated header fields joined by commas.
///
/// On Linux, it is not the default transport: Foundation stops the process if a connection ends within the head of a
/// response, uses a full core while a new connection waits for its response, and continues to read a body that is not
/// consumed.
public final class URLSessionTransport: Transport {
    private let session: DelegatedSession
    private let trust: ServerTrust

    public convenience init() {
        self.init(trusting: .system)
    }

    /// - Throws: on Linux for anything except `.system`, because URLSession does not support another rule there.
    public convenience init(trust: ServerTrust) throws(UnsupportedTrust) {
        #if !canImport(Security)
            guard trust == .system else { throw UnsupportedTrust("URLSession on Linux supports only .system") }
        #endif
        self.init(trusting: trust)
    }

    private init(trusting trust: ServerTrust) {
        self.trust = trust
        session = DelegatedSession(trust: trust)
    }

    public func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        try request.checkAddress()
        try request.checkHead()
        if let upload = request.upload, (try? await FileReader().open(upload.file)) == nil {
            throw .notSent("the file to be sent cannot be read")
        }
        #if canImport(FoundationNetworking)
            // On Linux, URLSession runs its calls on its own queue. A request that starts on the thread that has just
            // read a response competes with the callbacks of that queue; yielding first takes a fifteenth less CPU
            // time.
            await Task.yield()
        #endif
        return try await (request.isSafe ? session : sessionForWrite()).send(URLRequest(request), request.upload)
            .response()
    }

    /// On Linux, each write uses its own session, and so its own connection, because URLSession sends a request again
    /// if a reused connection turns out to be dead. With a body it cannot, and spins until the timeout. Without one, a
    /// write might be reported as not sent because its second attempt was not, although the first one was.
    private func sessionForWrite() -> DelegatedSession {
        #if canImport(FoundationNetworking)
            DelegatedSession(trust: trust)
        #else
            session
        #endif
    }
}

extension URLRequest {
    private static let longestTimeout: TimeInterval = 1_000_000

    fileprivate init(_ request: NetworkRequest) {
        self.init(url: request.url)
        httpMethod = request.method
        httpBody = request.body
        for field in request.headers.fields { addValue(field.value, forHTTPHeaderField: field.name) }
        // The operation enforces the timeout; URLSession's own one, between two packets, must not fire before it.
        // Without a timeout it is days, because a value that does not fit into an integer stops the process on Linux.
        let seconds = request.timeout.map { Double($0.components.seconds) + 1 }
        timeoutInterval = min(seconds ?? Self.longestTimeout, Self.longestTimeout)
    }
}

// MARK: - URLSession

private final class DelegatedSession: Sendable {
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
        // `NetworkQueue` limits the requests. Requests that wait here would run in any order, with their timeout
        // running.
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        // A session keeps itself and its delegate alive until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    func send(_ request: URLRequest, _ upload: FileUpload?) -> URLSessionExchange {
        guard let upload else { return exchanges.open(session.dataTask(with: request), onProgress: nil) }
        return exchanges.open(session.uploadTask(with: request, fromFile: upload.file), onProgress: upload.onProgress)
    }
}

/// The session's delegate, which passes each event to the exchange of its task. The convenience methods of URLSession
/// are not an alternative: on Linux, they never return after a Basic challenge or a refused redirect, while a delegate
/// is called for both.
private final class URLSessionExchanges: NSObject, Sendable {
    private let trust: ServerTrust
    private let exchanges = Mutex<[Int: URLSessionExchange]>([:])

    init(trust: ServerTrust) {
        self.trust = trust
    }

    func open(_ task: URLSessionTask, onProgress: (@Sendable (Int64, Int64) -> Void)?) -> URLSessionExchange {
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
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Security)
            if let presented = challenge.protectionSpace.serverTrust, trust != .system {
                if trust.accepts(presented) {
                    return completionHandler(.useCredential, URLCredential(trust: presented))
                }
                exchange(of: task)?.cancel(as: .untrusted("the key is not pinned"))
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
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

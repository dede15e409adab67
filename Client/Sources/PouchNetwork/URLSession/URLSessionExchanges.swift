import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The session's delegate: gathers what arrives for each task, and ends each exchange once.
///
/// The convenience methods of URLSession are no way around it: on Linux they never return after a challenge for Basic
/// or a refused redirect, while a delegate hears of both.
final class URLSessionExchanges: NSObject, Sendable {
    typealias Ending = Result<NetworkResponse, NetworkError>

    private struct Exchange {
        let continuation: CheckedContinuation<Ending, Never>
        let onProgress: (@Sendable (Int64, Int64) -> Void)?
        var data = Data()
        var rejectedChallenge = false
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    func open(
        _ task: URLSessionTask, _ continuation: CheckedContinuation<Ending, Never>,
        onProgress: (@Sendable (Int64, Int64) -> Void)? = nil
    ) {
        exchanges.withLock {
            $0[task.taskIdentifier] = Exchange(continuation: continuation, onProgress: onProgress)
        }
    }

    /// Does nothing for an exchange that has ended.
    func close(_ task: URLSessionTask, with ending: Ending) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.continuation.resume(returning: ending)
    }
}

extension URLSessionExchanges: URLSessionDataDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchanges.withLock { $0[dataTask.taskIdentifier]?.data.append(data) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let onProgress = exchanges.withLock { $0[task.taskIdentifier]?.onProgress }
        onProgress?(totalBytesSent, totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        exchange.continuation.resume(returning: Self.ending(of: exchange, task.response, error))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let passwordMethods = [
            NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodHTMLForm,
        ]
        guard passwordMethods.contains(challenge.protectionSpace.authenticationMethod) else {
            return completionHandler(.performDefaultHandling, nil)
        }
        exchanges.withLock { $0[task.taskIdentifier]?.rejectedChallenge = true }
        completionHandler(.rejectProtectionSpace, nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let authorization = task.originalRequest?.value(forHTTPHeaderField: "Authorization")
        guard authorization == nil || request.url?.origin == task.originalRequest?.url?.origin else {
            return completionHandler(nil)
        }
        var redirected = request
        redirected.setValue(authorization, forHTTPHeaderField: "Authorization")
        completionHandler(redirected)
    }

    private static func ending(of exchange: Exchange, _ response: URLResponse?, _ error: (any Error)?) -> Ending {
        // On Linux a rejected challenge ends with "cancelled" although the whole answer has arrived.
        if let error, !(exchange.rejectedChallenge && response != nil) {
            return .failure(NetworkError(error))
        }
        guard let response = response as? HTTPURLResponse else {
            return .failure(.failed("the answer is not HTTP"))
        }
        let fields = response.allHeaderFields.compactMap { name, value -> HeaderFields.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HeaderFields.Field(name: name, value: value)
        }
        return .success(
            NetworkResponse(status: response.statusCode, headers: HeaderFields(fields), data: exchange.data))
    }
}

extension URL {
    /// Scheme, host and port (RFC 6454), with the scheme's default port filled in.
    fileprivate var origin: String {
        let scheme = self.scheme?.lowercased() ?? ""
        return "\(scheme)://\(host()?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}

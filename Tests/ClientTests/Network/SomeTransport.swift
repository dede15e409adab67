import Foundation
import PouchAsyncHTTPClient
import PouchCurl
import PouchNetwork

/// The transports that must behave in the same way.
enum SomeTransport: CaseIterable {
    case urlSession
    case asyncHTTPClient
    #if os(Linux)
        case curl
    #endif

    /// Those that do not stop the process after an incomplete head.
    static var robust: [SomeTransport] {
        #if os(Linux)
            allCases.filter { $0 != .urlSession }
        #else
            allCases
        #endif
    }

    /// Those that can be given certificates to trust.
    static var pinning: [SomeTransport] { robust }

    func make(trust: ServerTrust = .system) throws -> any Transport {
        switch self {
        case .urlSession: try URLSessionTransport(trust: trust)
        case .asyncHTTPClient: try AsyncHTTPClientTransport(trust: trust)
        #if os(Linux)
            case .curl: try CurlTransport(trust: trust)
        #endif
        }
    }
}

// MARK: - Answers, retries and errors

/// An answer over HTTP, after which the server closes the connection.
func httpAnswer(_ status: String = "200 OK", _ fields: String..., body: String = "") -> String {
    let head = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.utf8.count)", "Connection: close"]
    return head.joined(separator: "\r\n") + "\r\n\r\n" + body
}

extension RetryPolicy {
    /// Retries without pauses.
    static func withoutPauses(attempts: Int = 3, deadline: Duration? = .seconds(60)) -> RetryPolicy {
        var policy = RetryPolicy(attempts: attempts, deadline: deadline)
        policy.jitter = { _ in .zero }
        return policy
    }
}

/// The text that `dump` writes about a value.
func dumped(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
}

extension NetworkError {
    var isNoHTTP: Bool { if case .noHTTP = self { true } else { false } }
    var isWithoutTLS: Bool { if case .noTLS = self { true } else { false } }
    var isUnreachable: Bool { if case .unreachable = self { true } else { false } }
    var isConnectionLost: Bool { if case .connectionLost = self { true } else { false } }
    var isTooLarge: Bool { if case .tooLarge = self { true } else { false } }
    var isUntrusted: Bool { if case .untrusted = self { true } else { false } }
}

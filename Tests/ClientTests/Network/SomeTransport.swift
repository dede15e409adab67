import ClientTesting
import Foundation
import Loopback
import PouchAsyncHTTPClient
import PouchCurl
import PouchNetwork
import PouchTesting
import Testing

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

extension LoopbackServer {
    /// A server that writes the start of an answer and then waits until the client closes the connection, which opens
    /// the gate.
    convenience init(beginning start: String, _ body: Data = Data(), closed: Gate = Gate()) throws {
        try self.init { _, connection in
            connection.write(Data(start.utf8) + body)
            connection.waitForEnd()
            closed.open()
        }
    }

    /// 300,000 bytes.
    static let file = Data(String(repeating: "0123456789", count: 30_000).utf8)

    /// A server of the file whose first answers break off there, and which sends a range of it if the validator matches.
    static func breaking(
        at cuts: [Int] = [100_000], validators: [String] = ["ETag: \"one\""], ignoresRange: Bool = false,
        misplaced: Bool = false
    ) throws -> LoopbackServer {
        let (content, count) = (file, Counter())
        return try LoopbackServer { head, connection in
            let number = count.increment() - 1
            let validator = validators[min(number, validators.count - 1)]
            let value = validator.split(separator: "\r\n").last?.drop { $0 != ":" }.dropFirst(2) ?? ""
            let asked = head.range(of: "Range: bytes=").flatMap { Int(head[$0.upperBound...].prefix { $0.isNumber }) }
            let first = ignoresRange || !head.contains("If-Range: \(value)\r\n") ? nil : asked
            let start = first ?? 0
            let range = "\(misplaced ? start - 1 : start)-\(content.count - 1)/\(content.count)"
            connection.write(
                "HTTP/1.1 \(first == nil ? "200 OK" : "206 Partial\r\nContent-Range: bytes \(range)")\r\n\(validator)\r\n"
                    + "Content-Length: \(content.count - start)\r\nConnection: close\r\n\r\n")
            connection.write(content[start..<max(start, number < cuts.count ? cuts[number] : content.count)])
        }
    }
}

extension RetryPolicy {
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

extension NetworkOptions {
    static let once = NetworkOptions(retries: .once)
}

extension Transport {
    /// The error of a request that must fail.
    func error(of request: NetworkRequest, limit: Int = NetworkBody.standardLimit) async -> NetworkError? {
        await #expect(throws: NetworkError.self) { try await response(to: request, limit: limit) }
    }
}

extension NetworkError {
    var isNoHTTP: Bool { if case .noHTTP = self { true } else { false } }
    var isWithoutTLS: Bool { if case .noTLS = self { true } else { false } }
    var isUnreachable: Bool { if case .unreachable = self { true } else { false } }
    var isConnectionLost: Bool { if case .connectionLost = self { true } else { false } }
    var isTooLarge: Bool { if case .tooLarge = self { true } else { false } }
    var isUntrusted: Bool { if case .untrusted = self { true } else { false } }
}

import Foundation

/// A complete request of a browser, limited in size.
public struct WebRequest: Sendable {
    public let method: String
    /// Without the query.
    public let path: String
    /// The query without its question mark; empty if there is none.
    public let query: String
    /// By names in lower case, each with all of its values.
    public let headers: [String: [String]]
    public let body: Data

    /// - Parameter target: the path and the query.
    public init(method: String, target: String, headers: [(name: String, value: String)] = [], body: Data = Data()) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        path = String(parts.first ?? "")
        query = parts.count > 1 ? String(parts[1]) : ""
        self.headers = Dictionary(grouping: headers) { $0.name.lowercased() }.mapValues { $0.map(\.value) }
        self.body = body
    }

    /// The value of a header that occurs exactly once.
    subscript(header: String) -> String? {
        guard let values = headers[header], values.count == 1 else { return nil }
        return values[0]
    }

    func cookie(_ name: String) -> String? {
        let pairs = (headers["cookie"] ?? []).flatMap { $0.split(separator: ";") }
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, parts[0] == name { return parts[1] }
        }
        return nil
    }
}

/// The answer to a request.
public struct WebAnswer: Sendable {
    public enum Body: Sendable {
        case bytes(Data)
        /// Events for as long as the browser listens. Each is ready to be sent.
        case events(AsyncStream<String>)
    }

    public let status: Int
    public private(set) var headers: [(name: String, value: String)]
    public let body: Body

    /// The page may load only what this site serves; no other site may show it in a frame.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
    ].joined(separator: "; ")

    init(_ status: Int, type: String, _ body: Body, headers: [(name: String, value: String)] = []) {
        self.status = status
        self.body = body
        self.headers =
            [
                ("Content-Type", type), ("Cache-Control", "no-store"), ("Content-Security-Policy", Self.policy),
                ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Opener-Policy", "same-origin"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
                // Without a referrer at all, browsers would send forms with the origin "null".
                ("Referrer-Policy", "same-origin"),
            ] + headers
    }

    init(_ status: Int, _ page: HTML) {
        self.init(status, type: "text/html; charset=utf-8", .bytes(Data(page.source.utf8)))
    }

    /// Sends the browser to the page, with GET.
    static func seeOther(headers: [(name: String, value: String)] = []) -> WebAnswer {
        WebAnswer(303, type: "text/plain", .bytes(Data()), headers: [("Location", "/")] + headers)
    }
}

/// Reads the body of a form as `application/x-www-form-urlencoded`.
enum FormBody {
    /// Returns nil for another encoding, and if a field occurs twice.
    static func fields(_ text: String) -> [String: String]? {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0]), let value = decoded(parts.count > 1 ? parts[1] : ""),
                fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return fields
    }

    private static func decoded(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}

import Foundation

/// An HTTP request, independent of the transport that sends it.
public struct NetworkRequest: Sendable, Equatable {
    public var url: URL
    /// The method as sent, such as `GET`.
    public var method: String
    public var headers: HeaderFields
    public var body: Data?
    /// A file to send instead of `body`.
    public var upload: FileUpload?
    /// The time limit of an attempt, up to the last byte of the response; in `stream` and `download`, the limit for the
    /// head and for each piece of the body. nil means no limit.
    public var timeout: Duration?
    /// Whether the request may be sent twice; nil derives it from the method and header fields, see `isRepeatable`.
    public var repeatable: Bool?

    public init(
        url: URL, method: String = "GET", headers: HeaderFields = [:], body: Data? = nil, upload: FileUpload? = nil,
        timeout: Duration? = .seconds(30)
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.upload = upload
        self.timeout = timeout
    }
}

extension NetworkRequest: CustomStringConvertible, CustomReflectable {
    /// The request without its body, and without user, password and query values of the URL.
    public var description: String {
        let content = upload.map { "the file \($0.file.lastPathComponent)" } ?? "\(body?.count ?? 0) bytes"
        return "\(method) \(url.redactedText) [\(headers)] \(content)"
    }

    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// A file to send as a request's body, read while it is being sent.
public struct FileUpload: Sendable, Equatable {
    public let file: URL
    /// Called with the bytes sent so far and the file's size, from any thread. Some transports report no progress.
    public let onProgress: @Sendable (_ sent: Int64, _ total: Int64) -> Void

    public init(file: URL, onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }) {
        self.file = file
        self.onProgress = onProgress
    }

    /// The size of the file in bytes, read on a separate thread; nil if it cannot be read.
    func size() async -> Int64? { try? await FileReader().open(file) }

    /// Compares the files only; closures cannot be compared.
    public static func == (left: FileUpload, right: FileUpload) -> Bool {
        left.file == right.file
    }
}

/// Scheme, host and port of a URL (RFC 6454), with the scheme's default port filled in.
public struct Origin: Sendable, Hashable {
    public let scheme: String
    public let host: String
    public let port: Int

    public init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host()?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}

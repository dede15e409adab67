import Foundation

/// One HTTP request, independent of the transport that sends it.
public struct NetworkRequest: Sendable, Equatable {
    public var url: URL
    /// As it stands on the wire, as in `GET`.
    public var method: String
    public var headers: HeaderFields
    public var body: Data?
    /// In place of `body`.
    public var upload: FileUpload?
    /// From the start of the request to the last byte of the answer; nil waits without an end.
    public var timeout: Duration?
    /// Whether it is safe to send twice; nil: by its method and header fields, see `isRepeatable`.
    public var repeatable: Bool?

    public init(
        url: URL,
        method: String = "GET",
        headers: HeaderFields = [:],
        body: Data? = nil,
        upload: FileUpload? = nil,
        timeout: Duration? = .seconds(30),
        repeatable: Bool? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.upload = upload
        self.timeout = timeout
        self.repeatable = repeatable
    }
}

extension NetworkRequest: CustomStringConvertible, CustomReflectable {
    /// Without the body, which may hold a password.
    public var description: String {
        let content = upload.map { "the file \($0.file.lastPathComponent)" } ?? "\(body?.count ?? 0) bytes"
        return "\(method) \(url.absoluteString) [\(headers)] \(content)"
    }

    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

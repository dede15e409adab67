import Foundation

/// An HTTP answer that arrived whole. Its status is not judged here, nor its bytes.
public struct NetworkResponse: Sendable, Equatable {
    public let status: Int
    public let headers: HeaderFields
    public let data: Data

    public init(status: Int, headers: HeaderFields = [:], data: Data = Data()) {
        self.status = status
        self.headers = headers
        self.data = data
    }
}

extension NetworkResponse: CustomStringConvertible, CustomReflectable {
    /// Without the body, which may hold a token.
    public var description: String { "\(status) [\(headers)] \(data.count) bytes" }

    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}

/// The head of an HTTP answer, with a body that may still be on its way.
public struct StreamedResponse: Sendable {
    public let status: Int
    public let headers: HeaderFields
    public let body: NetworkBody

    public init(status: Int, headers: HeaderFields = [:], body: NetworkBody = NetworkBody()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer that is whole already, as a stub gives.
    public init(_ response: NetworkResponse) {
        self.init(status: response.status, headers: response.headers, body: NetworkBody(response.data))
    }

    /// Waits for the rest.
    ///
    /// - Throws: `.tooLarge` as soon as the body has more bytes than `limit`.
    public func collected(upTo limit: Int = NetworkBody.standardLimit) async throws(NetworkError) -> NetworkResponse {
        NetworkResponse(status: status, headers: headers, data: try await body.collected(upTo: limit))
    }
}

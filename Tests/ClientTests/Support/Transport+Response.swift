import PouchNetwork

extension Transport {
    /// Sends one request once and waits for the whole answer.
    func response(
        to request: NetworkRequest, limit: Int = NetworkBody.standardLimit
    ) async throws(NetworkError) -> NetworkResponse {
        try await send(request).collected(upTo: limit)
    }
}

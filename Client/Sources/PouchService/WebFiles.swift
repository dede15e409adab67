import Foundation
import PouchNetwork

/// Reads files of web servers, without a session, through a cache.
struct WebFiles: Sendable {
    let cache: ResponseCache
    private let network: NetworkSession
    private let timeout: Duration
    private let queue: NetworkQueue

    init(
        transport: any Transport, cache: ResponseCache, timeout: Duration, retries: RetryPolicy, requestLimit: Int,
        bodyLimit: Int = NetworkBody.standardLimit, clock: any Clock<Duration>
    ) {
        self.cache = cache
        network = NetworkSession(
            transport, retries: retries, retryBudget: RetryBudget(), bodyLimit: bodyLimit, clock: clock)
        self.timeout = timeout
        queue = NetworkQueue(limit: requestLimit)
    }

    /// - Parameter accept: `application/json` refuses any other body; nil accepts any bytes.
    func get(_ url: String, accept: String?) async throws(ServiceError) -> ServiceAnswer {
        var request = try request(for: url)
        request.headers["Accept"] = accept ?? "*/*"
        return try await cache.answer(to: url, request) { request, isConditional in
            await answer(to: request, isJSON: accept != nil, mayBeUnmodified: isConditional)
        }
    }

    func head(_ url: String) async throws(ServiceError) -> ServiceAnswer {
        var request = try request(for: url)
        request.method = "HEAD"
        return try await answer(to: request, isJSON: false, mayBeUnmodified: false).get()
    }

    private func request(for url: String) throws(ServiceError) -> NetworkRequest {
        guard let target = URL(string: url) else { throw ServiceError(.failed("the address is not a URL")) }
        return NetworkRequest(url: target, timeout: timeout)
    }

    private func answer(
        to request: NetworkRequest, isJSON: Bool, mayBeUnmodified: Bool
    ) async -> Result<ServiceAnswer, ServiceError> {
        let judge = AnswerJudge(answersJSON: isJSON, mayBeUnmodified: mayBeUnmodified, now: network.now)
        return judge.judge(await queue.run(NetworkOperation(request, in: network)))
    }
}

extension URL {
    var textWithoutTrailingSlash: String {
        var text = absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}

import Foundation
import PouchNetwork

/// Reads files of web servers, without a session, and keeps them in a cache.
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

    /// - Parameter accept: `application/json` refuses what is not JSON; nil takes any bytes.
    func get(_ url: String, accept: String?) async throws(ServiceError) -> ServiceAnswer {
        guard let target = URL(string: url) else { throw ServiceError(.failed("the address is not a URL")) }
        var request = NetworkRequest(url: target, timeout: timeout)
        request.headers["Accept"] = accept ?? "*/*"
        return try await cache.answer(to: url) { [request] conditions in
            var request = request
            for field in conditions.fields { request.headers[field.name] = field.value }
            let judge = AnswerJudge(
                answersJSON: accept != nil, mayBeUnmodified: !conditions.fields.isEmpty, now: network.now)
            return judge.judge(await queue.run(NetworkOperation(request, in: network)))
        }
    }
}

extension URL {
    /// With one slash at the end.
    var directory: String {
        var text = absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        return text + "/"
    }
}

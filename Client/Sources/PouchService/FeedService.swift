import Foundation
import PouchNetwork

/// Reads a catalogue from the static files of a LAYERS feed, on any web server.
///
/// It returns raw data and does not know the model. It has no session, and supports no purchases.
public final class FeedService: Sendable {
    private let base: String
    private let files: WebFiles

    /// - Parameters:
    ///   - feed: the folder of the three files.
    ///   - cache: a server that supports ETags or modification dates sends only changed files.
    public init(
        feed: URL,
        transport: any Transport,
        cache: ResponseCache = ResponseCache(),
        timeout: Duration = .seconds(60),
        retries: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = TimeoutClock()
    ) {
        base = feed.textWithoutTrailingSlash + "/"
        files = WebFiles(
            transport: transport, cache: cache, timeout: timeout, retries: retries, requestLimit: 3, clock: clock)
    }

    /// - Parameter file: a name such as `seasons.json`. The body starts and ends like JSON, but is not parsed here.
    public func call(_ file: String) async throws(ServiceError) -> ServiceAnswer {
        try await files.get(base + file, accept: "application/json")
    }

    /// Requests the header fields from the server, without the cache.
    public func head(_ file: String) async throws(ServiceError) -> ServiceAnswer {
        try await files.head(base + file)
    }
}

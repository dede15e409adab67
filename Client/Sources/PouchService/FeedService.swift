import Foundation
import PouchNetwork

/// The files of a LAYERS feed.
public enum FeedPath: String, Sendable, Hashable, CaseIterable {
    case seasons = "seasons.json"
    case products = "products.json"
    /// The promotions of the shop's first page.
    case slides = "slides.json"
}

/// Reads a catalogue from the static files of a LAYERS feed, on any web server.
///
/// It returns raw data and does not know the model. It has no session, and supports no purchases.
public final class FeedService: Sendable {
    private let base: String
    private let files: WebFiles

    /// - Parameters:
    ///   - feed: the folder of the three files.
    ///   - cache: stores the files, so that a server that supports ETags or modification dates sends only changed
    ///     files.
    ///   - timeout: the limit for each attempt.
    ///   - retries: the policy for repeating requests.
    ///   - clock: measures timeouts.
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

    /// Reads one file. Its body starts and ends like JSON, but is not parsed here.
    public func call(_ path: FeedPath) async throws(ServiceError) -> ServiceAnswer {
        try await files.get(base + path.rawValue, accept: "application/json")
    }

    /// Requests the header fields of a file from the server, without the cache.
    public func head(_ path: FeedPath) async throws(ServiceError) -> ServiceAnswer {
        try await files.head(base + path.rawValue)
    }
}

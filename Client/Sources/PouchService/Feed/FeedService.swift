import Foundation
import PouchNetwork

/// Reads a catalogue from the static files of a LAYERS feed, on any web server.
///
/// What it gives is raw data; it does not know the model. It has no session, and there is nothing to buy.
public final class FeedService: Sendable {
    private let base: String
    private let files: WebFiles

    /// - Parameters:
    ///   - feed: the folder of the three files.
    ///   - cache: keeps the files, so that a server which gives ETags or dates of change sends them only when they differ.
    ///   - timeout: for each sending of a request.
    ///   - retries: when a request is sent again.
    ///   - clock: measures the timeout.
    public init(
        feed: URL,
        transport: any Transport,
        cache: ResponseCache = ResponseCache(),
        timeout: Duration = .seconds(60),
        retries: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = TimeoutClock()
    ) {
        base = feed.directory
        files = WebFiles(
            transport: transport, cache: cache, timeout: timeout, retries: retries, requestLimit: 3, clock: clock)
    }

    /// Reads one file. Its body is JSON, as far as one can see without reading it.
    public func call(_ path: FeedPath) async throws(ServiceError) -> ServiceAnswer {
        try await files.get(base + path.rawValue, accept: "application/json")
    }

    /// Asks the web server about a file, past the cache and without its bytes.
    public func ask(_ path: FeedPath) async throws(ServiceError) -> ServiceAnswer {
        try await files.ask(base + path.rawValue)
    }
}

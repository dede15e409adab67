import Foundation
import PouchNetwork

/// Brings images and other files: those of the shop, and those that its catalogue names elsewhere on the web.
///
/// It has no session, so that no token can go astray.
public final class AssetService: Sendable {
    private static let shopPrefix = "/assets/"

    private let root: String
    private let files: WebFiles

    /// - Parameters:
    ///   - root: what `/assets/` stands for: that path on the shop's server, or a folder of its own as beside a feed.
    ///   - cache: of files alone, since they are larger than other answers.
    ///   - timeout: for each sending of a request.
    ///   - retries: when a request is sent again.
    ///   - requestLimit: how many are brought at once; the rest wait by their tasks' priority.
    ///   - bodyLimit: the most bytes of a file, which is in memory while it is brought. A Pouch server has none larger than
    ///     the 16 MiB that stand here.
    ///   - clock: measures the timeout.
    public init(
        root: URL,
        transport: any Transport,
        cache: ResponseCache,
        timeout: Duration = .seconds(60),
        retries: RetryPolicy = RetryPolicy(),
        requestLimit: Int = 4,
        bodyLimit: Int = 16 << 20,
        clock: any Clock<Duration> = TimeoutClock()
    ) {
        self.root = root.directory
        files = WebFiles(
            transport: transport, cache: cache, timeout: timeout, retries: retries,
            requestLimit: requestLimit, bodyLimit: bodyLimit, clock: clock)
    }

    /// Where the file is that the catalogue names so: `/assets/` and a path, both percent-encoded, or an absolute http or
    /// https URL; nil for anything else.
    public func url(of reference: String) -> String? {
        if isOfShop(reference) {
            let components = reference.dropFirst(Self.shopPrefix.count).split(
                separator: "/", omittingEmptySubsequences: false)
            let isInside = components.allSatisfy { !["", ".", ".."].contains($0.removingPercentEncoding ?? "") }
            return isInside ? root + components.joined(separator: "/") : nil
        }
        guard let url = URL(string: reference), ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
            url.host()?.isEmpty == false, url.user() == nil
        else { return nil }
        return reference
    }

    /// Whether the shop itself has the file.
    public func isOfShop(_ reference: String) -> Bool { reference.hasPrefix(Self.shopPrefix) }

    /// Brings a file, from the cache where it may. Any number of askers for the same one cause one request.
    public func call(_ url: String) async throws(ServiceError) -> ServiceAnswer {
        try await files.get(url, accept: nil)
    }

    /// A file that was brought before, as the cache has it on disk; nil where there is none. It may go when others need
    /// the room, so it is to be opened soon.
    public func file(_ url: String) async -> URL? {
        await files.cache.file(of: url)
    }
}

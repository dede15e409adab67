import Foundation
import PouchNetwork

/// Loads images and other files: those of the shop, and those that its catalogue refers to elsewhere on the web.
///
/// It has no session, so it cannot send a token to another server.
public final class AssetService: Sendable {
    private static let shopPrefix = "/assets/"

    private let root: String
    private let files: WebFiles

    /// - Parameters:
    ///   - root: the folder that `/assets/` refers to: that path on the shop's server, or a folder next to a feed.
    ///   - cache: for files alone, since they are larger than other answers.
    ///   - requestLimit: the most files that are loaded at once; the rest wait by their tasks' priority.
    ///   - bodyLimit: the most bytes of a file, which is in memory while it is loaded. A Pouch server has no file above
    ///     the default of 16 MiB.
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
        self.root = root.textWithoutTrailingSlash + "/"
        files = WebFiles(
            transport: transport, cache: cache, timeout: timeout, retries: retries,
            requestLimit: requestLimit, bodyLimit: bodyLimit, clock: clock)
    }

    /// nil for a reference that is neither `/assets/` and a path, percent-encoded, nor an absolute http or https URL.
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

    public func isOfShop(_ reference: String) -> Bool { reference.hasPrefix(Self.shopPrefix) }

    /// Equal calls at the same time share one request.
    public func call(_ url: String) async throws(ServiceError) -> ServiceAnswer {
        try await files.get(url, accept: nil)
    }

    /// The file in which the cache stores a loaded file. Open it soon: the cache may remove it to make room.
    public func file(_ url: String) async -> URL? {
        await files.cache.file(of: url)
    }
}

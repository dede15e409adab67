import Foundation
import PouchNetwork
import PouchWire

/// Reads a catalogue from the static files of a LAYERS feed, on any web server or in a folder. It returns raw data and
/// does not know the model. It has no session, and supports no purchases.
///
/// An attempt to read a file may take up to 60 s.
public final class FeedService: Sendable {
    private let base: String
    private let files: WebFiles

    /// - Parameters:
    ///   - feed: the folder of the three files.
    ///   - cache: stores the files, so that a server that supports ETags or modification dates sends only changed
    ///     files.
    ///   - options: retries, credentials, cookies and more, for the web server of the feed.
    public init(
        feed: URL, transport: any Transport, cache: ResponseCache = ResponseCache(),
        options: NetworkOptions = NetworkOptions()
    ) {
        base = feed.textWithoutTrailingSlash + "/"
        files = WebFiles(transport: transport, cache: cache, options: options, server: feed, requestLimit: 3)
    }

    /// Reads one file by its name, such as `seasons.json`. Its body starts and ends like JSON, but is not parsed here.
    /// It is in UTF-8, even if the web server states another encoding (see `NetworkResponse.text`).
    public func call(_ file: String) async throws(ServiceError) -> ServiceAnswer {
        try await files.get(base + file, isJSON: true)
    }

    /// Requests the header fields of a file from the server, without the cache.
    public func head(_ file: String) async throws(ServiceError) -> ServiceAnswer {
        try await files.head(base + file)
    }
}

/// Loads images and other files: those of the shop, and those that its catalogue refers to elsewhere on the web. It has
/// no session, so it cannot send a token to another server.
///
/// An attempt may take up to 60 s. At most four files are loaded at once; the others wait in the order of their tasks'
/// priority.
public final class AssetService: Sendable {
    private static let shopPrefix = "/assets/"

    private let root: String
    private let isOfServer: Bool
    private let files: WebFiles

    /// - Parameters:
    ///   - root: the folder that `/assets/` refers to: that path on the shop's server, or a folder next to a feed.
    ///   - isOfServer: whether the root belongs to a Pouch server, whose 404 is valid only with a problem document.
    ///   - cache: a cache only for files, because they are larger than other responses.
    ///   - options: retries, credentials, cookies and more.
    ///   - server: the server whose origin is the only one that receives the options' credentials, cookies and added
    ///     fields; nil for the root's.
    ///   - bodyLimit: the maximum size of a file, in bytes: a file is in memory while it is loaded. A Pouch server has
    ///     no file above the default of 16 MiB.
    public init(
        root: URL, isOfServer: Bool = false, transport: any Transport, cache: ResponseCache,
        options: NetworkOptions = NetworkOptions(), server: URL? = nil, bodyLimit: Int = 16 << 20
    ) {
        self.root = root.textWithoutTrailingSlash + "/"
        self.isOfServer = isOfServer
        files = WebFiles(
            transport: transport, cache: cache, options: options, server: server ?? root, requestLimit: 4,
            bodyLimit: bodyLimit)
    }

    /// The URL of a file that the catalogue refers to as `/assets/` and a path, both percent-encoded, or as an absolute
    /// http or https URL; nil for any other reference.
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

    /// Whether the reference starts with `/assets/`, and so refers to a file of the shop.
    public func isOfShop(_ reference: String) -> Bool { reference.hasPrefix(Self.shopPrefix) }

    /// Loads a file, from the cache if possible. Concurrent equal calls share one request.
    public func call(_ url: String) async throws(ServiceError) -> ServiceAnswer {
        try await files.get(url, isJSON: false, explainsRefusals: explainsRefusals(url))
    }

    /// Downloads a file of any size to disk, without the cache. An interrupted download is resumed, in this call and in
    /// a later one (see `NetworkSession.download`).
    ///
    /// - Parameters:
    ///   - file: a file in an existing folder; it is created complete or not at all.
    ///   - onProgress: called with the bytes received so far and the file's size, if the server states it, from any
    ///     thread.
    /// - Throws: `.file` if the file cannot be written.
    public func download(
        _ url: String, to file: URL, onProgress: @escaping @Sendable (_ received: Int64, _ total: Int64?) -> Void
    ) async throws(ServiceError) {
        try await files.download(url, to: file, explainsRefusals: explainsRefusals(url), onProgress: onProgress)
    }

    private func explainsRefusals(_ url: String) -> Bool { isOfServer && url.hasPrefix(root) }

    /// The file on disk in which the cache stores a loaded file; nil if there is none. Open it soon: the cache may
    /// remove it to make room.
    public func file(_ url: String) async -> URL? {
        await files.cache.file(of: url)
    }
}

/// Reads files of web servers, without a session, through a cache.
struct WebFiles: Sendable {
    /// The limit for each attempt, up to the last byte. In 60 s, the largest file of a Pouch server, 16 MiB, arrives
    /// over a connection of 2.3 Mbit/s.
    private static let attemptTimeout = Duration.seconds(60)

    let cache: ResponseCache
    private let network: NetworkSession
    private let queue: NetworkQueue

    init(
        transport: any Transport, cache: ResponseCache, options: NetworkOptions, server: URL, requestLimit: Int,
        bodyLimit: Int = NetworkBody.standardLimit
    ) {
        self.cache = cache
        network = NetworkSession(transport, options: options, server: server, bodyLimit: bodyLimit)
        queue = NetworkQueue(limit: options.requestLimit.capped(at: requestLimit))
    }

    /// - Parameters:
    ///   - isJSON: whether a body that is not JSON is an error.
    ///   - explainsRefusals: as in `ResponseValidator`.
    func get(_ url: String, isJSON: Bool, explainsRefusals: Bool = false) async throws(ServiceError) -> ServiceAnswer {
        var request = try request(for: url)
        request.headers["Accept"] = isJSON ? "application/json" : "*/*"
        return try await cache.answer(to: url, request) { request, isConditional in
            let validator = validator(
                isJSON: isJSON, explainsRefusals: explainsRefusals, mayBeUnmodified: isConditional)
            let payload = await send(request)
            guard validator.kind == .json, let response = payload.response else { return validator.validate(payload) }
            return validator.validate(response.inUTF8())
        }
    }

    /// Requests the header fields of a file from the server, without the cache.
    func head(_ url: String) async throws(ServiceError) -> ServiceAnswer {
        var request = try request(for: url)
        request.method = "HEAD"
        return try validator().validate(await send(request)).get()
    }

    func download(
        _ url: String, to file: URL, explainsRefusals: Bool,
        onProgress: @escaping @Sendable (_ received: Int64, _ total: Int64?) -> Void
    ) async throws(ServiceError) {
        try await validator(explainsRefusals: explainsRefusals).download(
            try request(for: url), to: file, over: network, in: queue, onProgress: onProgress)
    }

    private func request(for url: String) throws(ServiceError) -> NetworkRequest {
        guard let target = URL(string: url) else { throw ServiceError(.network(.failed("the address is not a URL"))) }
        return NetworkRequest(url: target, timeout: Self.attemptTimeout)
    }

    private func send(_ request: NetworkRequest) async -> NetworkPayload {
        await queue.run(NetworkOperation(request, in: network))
    }

    private func validator(
        isJSON: Bool = false, explainsRefusals: Bool = false, mayBeUnmodified: Bool = false
    ) -> ResponseValidator {
        ResponseValidator(
            kind: isJSON ? .json : .bytes, explainsRefusals: explainsRefusals, mayBeUnmodified: mayBeUnmodified,
            now: network.now)
    }
}

extension URL {
    var textWithoutTrailingSlash: String {
        var text = absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}

import Foundation

/// A transport that reads the files of a folder, for example in an app's bundle. `Pouch(feed:)` uses it for a file URL:
///
///     let pouch = Pouch(feed: Bundle.main.bundleURL.appending(path: "feed"))
///
/// It responds to GET and HEAD for file URLs like a web server: with 404 if the file is missing or not in the folder.
public struct FolderTransport: Transport {
    private let components: [String]
    private let web: (any Transport)?

    /// `web` sends the requests for all other URLs, such as those of pictures on the web. Without it they throw
    /// `.invalidAddress`.
    public init(_ folder: URL, web: (any Transport)? = nil) {
        components = folder.standardizedFileURL.pathComponents
        self.web = web
    }

    public func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        guard request.url.isFileURL else {
            guard let web else { throw .invalidAddress }
            return try await web.send(request)
        }
        guard ["GET", "HEAD"].contains(request.method) else { return StreamedResponse(status: 405) }
        // Percent escapes are decoded before dots are resolved, so that %2F and %2E lead nowhere else.
        let path = request.url.path(percentEncoded: false)
        let file = URL(filePath: path).standardizedFileURL
        guard !path.utf8.contains(0), file.pathComponents.starts(with: components) else {
            return StreamedResponse(status: 404)
        }
        let reader = FileReader()
        guard let size = try? await reader.open(file) else { return StreamedResponse(status: 404) }
        let body = NetworkBody { () async throws(NetworkError) in
            do {
                return try await reader.next()
            } catch {
                throw .failed("the file cannot be read: \(error)")
            }
        }
        return StreamedResponse(
            status: 200, headers: ["Content-Length": "\(size)"], body: request.method == "HEAD" ? NetworkBody() : body)
    }
}

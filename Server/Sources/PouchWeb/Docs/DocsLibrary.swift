import Foundation
import Hummingbird
import NIOCore
import PouchHTTP
import PouchWire

extension PageRoutes {
    /// The documentation of the API. Its pages are the same for all visitors.
    func addDocs() {
        let library = DocsLibrary(server: site.settings.publicURL, theme: site.theme)
        for path in ["/docs", "/docs/{page}", "/docs/schemas", "/docs/schemas/{name}"] as [RouterPath] {
            router.get(path) { [visits = Visits(site: site)] request, context in
                try await visits.answer(request, context) { visit in
                    guard let page = try await library.page(at: visit.path) else { throw RequestProblem(.notFound) }
                    var headers = PageHeaders.ofAllVisitors
                    headers[.cacheControl] = "public, max-age=300"
                    headers[.vary] = nil
                    return Response(status: .ok, headers: headers, body: .init(byteBuffer: page))
                }
            }
        }
    }
}

/// The pages of the documentation, each rendered when it is first asked for.
private actor DocsLibrary {
    private let server: String
    private let theme: WebTheme
    private var pages: [String: DocsPage]?
    private var rendered: [String: ByteBuffer] = [:]

    init(server: String, theme: WebTheme) {
        self.server = server
        self.theme = theme
    }

    /// - Returns: nil if there is no page at the path.
    func page(at path: String) throws -> ByteBuffer? {
        if let ready = rendered[path] { return ready }
        let pages =
            try self.pages
            ?? Dictionary(
                APIDocument(server: server).pages.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        self.pages = pages
        guard let page = pages[path] else { return nil }
        let bytes = ByteBuffer(string: page.html(with: theme))
        rendered[path] = bytes
        return bytes
    }
}

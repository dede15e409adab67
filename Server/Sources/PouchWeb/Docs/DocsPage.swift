import Hummingbird
import PouchHTTP
import PouchJSON
import PouchOpenAPI
import PouchTemplates
import PouchWire

struct DocsValues: PageModel {
    /// Whether this is the first page, with the API's conventions. The script creates all others.
    let isOverview: Bool
    let version: String
    /// The address of the shop, without a trailing slash, for examples.
    let server: String
    let pageSize, defaultPageSize, keyLength: Int

    /// The paths for which the script creates a page.
    fileprivate static let paths: Set<String> = {
        let document = try? OpenAPI.document()
        let tags = document?["tags"]?.array?.compactMap { $0["name"]?.string } ?? []
        let schemas = document?["components"]?["schemas"]?.object?.keys.map { "schemas/" + $0 } ?? []
        return Set(["/docs"] + (tags + schemas + ["schemas", "errors", "webhook-requests"]).map { "/docs/" + $0 })
    }()
}

extension PageRoutes {
    /// Adds the documentation of the API, which a script generates from `/openapi.json`.
    func addDocs() {
        for path in ["/docs", "/docs/{page}", "/docs/schemas", "/docs/schemas/{name}"] as [RouterPath] {
            catalog(path) { [site] visit, _ in
                guard DocsValues.paths.contains(visit.path) else { throw RequestProblem(.notFound) }
                let values = DocsValues(
                    isOverview: visit.path == "/docs", version: OpenAPI.version, server: site.settings.publicURL,
                    pageSize: Limits.pageSize.upperBound, defaultPageSize: Limits.defaultPageSize,
                    keyLength: Limits.idempotencyKeyLength.upperBound)
                var content = PageContent(values, title: "API")
                content.script = "docs"
                return content
            }
        }
    }
}

import Hummingbird
import HTTPTypes
import PouchHTTP
import PouchWire

/// The page for a request that cannot be answered: what happened, and what to do next.
struct ProblemPage {
    private let site: Site

    init(_ site: Site) {
        self.site = site
    }

    func content(_ problem: RequestProblem, _ visit: Visit) -> PageContent {
        let texts = site.texts(visit)
        let key = "problem-" + problem.code.rawValue.replacing("_", with: "-")
        var content = PageContent(
            "problem", title: texts[key + "-title"] ?? problem.code.title,
            [
                "heading": texts[key + "-title"] ?? problem.code.title,
                "text": texts[key] ?? problem.detail ?? "", "status": String(problem.code.status),
                "requestId": visit.context.requestId,
                "links": [
                    ["label": site.text("all-products", visit), "url": PagePath.products, "isPrimary": true],
                    ["label": site.text("breadcrumb-home", visit), "url": "/", "isPrimary": false],
                ] as [PageValues],
            ])
        content.status = .init(code: problem.code.status)
        if let seconds = problem.retryAfterSeconds { content.headers[.retryAfter] = String(seconds) }
        return content
    }
}

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
        let text = ProblemText(texts: site.texts(visit), language: visit.language)
        let heading = text.heading(problem)
        var content = PageContent(
            "problem", title: heading,
            [
                "status": String(problem.code.status), "heading": heading, "text": text.summary(problem),
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

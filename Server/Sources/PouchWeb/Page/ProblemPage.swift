import Hummingbird
import HTTPTypes
import PouchHTTP
import PouchTemplates
import PouchWire

struct ProblemValues: PageModel {
    static let template = "problem"

    /// A product that is no longer sold.
    struct Gone: TemplateValues {
        let name: String
        let image: PictureValues?
    }

    let status, heading, text: String
    /// The id of the request; nil for a page without a problem to report.
    var requestId: String?
    let links: [ActionLink]
    var product: Gone?
    var hasRecommendations = false
    var recommendations: [ProductCard] = []
}

/// A link that looks like a button.
struct ActionLink: TemplateValues {
    let label, url: String
    let isPrimary: Bool
}

/// The page for a request that failed: what happened, and what to do next.
struct ProblemPage {
    private let site: Site

    init(_ site: Site) {
        self.site = site
    }

    func content(_ problem: RequestProblem, _ visit: Visit) -> PageContent {
        let text = ProblemText(texts: site.texts(visit), language: visit.language)
        let heading = text.heading(problem)
        var content = PageContent(
            ProblemValues(
                status: String(problem.code.status), heading: heading, text: text.summary(problem),
                requestId: visit.context.requestId,
                links: [
                    .init(label: site.text("all-products", visit), url: PagePath.products, isPrimary: true),
                    .init(label: site.text("breadcrumb-home", visit), url: "/", isPrimary: false),
                ]), title: heading)
        content.status = .init(code: problem.code.status)
        if let seconds = problem.retryAfterSeconds { content.headers[.retryAfter] = String(seconds) }
        return content
    }
}

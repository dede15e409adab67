import PouchHTTP
import PouchTemplates
import PouchWire

struct AdminProblemValues: PageModel {
    let text, requestId, backURL, backLabel: String
}

/// The administration's page for a request that failed.
enum AdminProblem {
    /// The texts of problems with forms, by the keys of `ProblemText`, where the API's own texts refer to JSON.
    static let texts = [
        "problem-fields": "The form was not saved. Correct the marked fields.",
        "entry-adjust": "Stock change",
        "entry-available": "Stock",
        "entry-price": "Price",
        "field-required": "%@ is required.",
        "field-wrong-type-int": "%@: enter a whole number.",
        "field-wrong-type-money": "%@: enter an amount, such as 49.90.",
        "field-wrong-type-percent": "%@: enter a number.",
        "field-wrong-type-time": "%@: enter a date and time.",
        "field-amount-invalid": "Enter the amount.",
        "field-basis-points-invalid": "Enter the percentage.",
        "field-basis-points-out-of-range": "Enter a percentage from 0.01 to 100.",
        "field-buy-invalid": "Enter the number of units to buy.",
        "field-get-invalid": "Enter the number of free units.",
        "field-carrier-required": "Enter the carrier as well, or leave both empty.",
        "field-number-required": "Enter the tracking number as well, or leave both empty.",
        "field-scopes-required": "Choose at least one permission.",
    ]

    /// - Parameter visit: the visit; without a session, the page shows nothing that only staff may see.
    static func content(_ problem: RequestProblem, _ visit: Visit) async -> PageContent {
        let back = parent(of: visit.path)
        let values = AdminProblemValues(
            text: problem.detail ?? text(problem.code), requestId: visit.context.requestId, backURL: back,
            backLabel: back == AdminSection.today.path ? "Go to Today" : "Back")
        var content = PageContent(values, title: problem.code.title)
        content.setStatus(of: problem)
        // A rate-limited request must not read the database. For other requests, the problem may be that nothing can be
        // read.
        if problem.code != .tooManyRequests, let admin = try? await AdminVisit.withoutPermissionCheck(visit) {
            return admin.framed(content)
        }
        return content.framed(visit)
    }

    private static func text(_ code: ProblemCode) -> String {
        code == .notFound ? "This page does not exist or was deleted." : "Try again in a moment."
    }

    /// The list that the page belongs to; Today for a list.
    private static func parent(of path: String) -> String {
        let steps = path.split(separator: "/")
        return steps.count > 2 ? "/" + steps.prefix(2).joined(separator: "/") : AdminSection.today.path
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

/// Makes the routes of pages and forms from their paths.
struct PageRoutes {
    let site: Site
    let router: Router<PouchRequestContext>

    private var visits: Visits { Visits(site: site) }

    /// Makes a page for one visitor.
    typealias Make = @Sendable (Visit) async throws -> PageContent
    /// Lets a form take effect, and returns the address of the page that comes next, or that page itself.
    typealias Act = @Sendable (Submission) async throws -> any FormOutcome
    /// The same, up to the answer to the browser.
    typealias Effect = @Sendable (Submission) async throws -> Response

    // MARK: Pages

    /// A page that is made from the catalogue alone. It is rendered once for all visitors of a language, until something
    /// changes that it shows.
    ///
    /// - Parameters:
    ///   - parameters: the names of the query's parameters that change the page; all others are ignored. A name that ends
    ///     with `*` stands for all names that begin so.
    ///   - missing: makes the page of what the catalogue does not have; nil for that of every unknown address.
    /// - Returns: the page for one visitor, for forms that show it again.
    @discardableResult
    func catalog(
        _ path: RouterPath, parameters: [String] = [], missing: Make? = nil,
        _ make: @escaping @Sendable (Visit, CatalogReading) throws -> PageContent
    ) -> Make {
        router.get(path) { [site, visits] request, context in
            try await visits.answer(request, context) { visit in
                let asked = visit.queryItems.filter { item in
                    parameters.contains { $0 == item.name || $0.hasSuffix("*") && item.name.hasPrefix($0.dropLast()) }
                }
                let name = "\(visit.language.rawValue) \(visit.path)?\(QueryString(asked).encoded)"
                do {
                    let page = try await site.pages.answer(to: name) { reading in
                        site.bytes(try make(visit, reading), visit, menu: site.menu(reading.snapshot, visit))
                    }
                    return site.response(page, visit)
                } catch let problem as RequestProblem where problem.code == .notFound {
                    guard let missing else { throw problem }
                    return try await site.response(try await missing(visit), visit)
                }
            }
        }
        return { [site] visit in try make(visit, CatalogReading(try await site.services.catalog.current())) }
    }

    /// A page that is made for each visitor.
    ///
    /// - Parameter access: the visitors who may see it; others are asked to sign in. A page for guests is shown also to
    ///   visitors without a session.
    /// - Returns: the same, for forms that show it again.
    @discardableResult
    func page(_ path: RouterPath, for access: Access, _ make: @escaping Make) -> Make {
        router.get(path) { [site, visits] request, context in
            try await visits.answer(request, context) { visit in
                let visit = try await visits.admitted(visit, to: access)
                return try await site.response(try await make(visit), visit)
            }
        }
        return make
    }

    /// A response that is no page, such as a file or a stream, for a visitor who may have it.
    func file(_ path: RouterPath, for access: Access, _ make: @escaping @Sendable (Visit) async throws -> Response) {
        router.get(path) { [visits] request, context in
            try await visits.answer(request, context) { visit in
                let visit = try await visits.admitted(visit, to: access)
                var response = try await make(visit)
                visit.cookies.write(to: &response)
                return response
            }
        }
    }

    /// Leads from one address to another, such as from that of a form to its page: a visitor who chooses another language
    /// on a page that was the answer to a form asks for the form's address.
    func redirect(_ path: RouterPath, to location: @escaping @Sendable (Visit) throws -> String) {
        router.get(path) { [visits] request, context in
            try await visits.answer(request, context) { throw Redirect(to: try location($0)) }
        }
    }

    // MARK: Forms

    /// A form, which is sent to the path.
    ///
    /// - Parameters:
    ///   - access: as for `page`; a visitor without a session gets that of a guest for a form of guests.
    ///   - page: shown again, with what was typed and why, if the form does not take effect.
    func form(
        _ path: RouterPath, for access: Access, showing page: @escaping Make, _ act: @escaping Act
    ) {
        router.post(path) { [visits] request, context in
            try await visits.answer(request, context) { visit in
                let form = try await visits.fields(of: visit)
                return try await visits.submit(form, visit, for: access, showing: page) { submission in
                    try await act(submission).response(to: submission.visit, in: visits)
                }
            }
        }
    }

    /// A form with files, which come after its other fields. They are read only for a visitor who may send the form.
    func form(
        _ path: RouterPath, for access: Access, showing page: @escaping Make,
        files act: @escaping @Sendable (Submission, FileFields) async throws -> any FormOutcome
    ) {
        router.post(path) { [visits] request, context in
            try await visits.answer(request, context) { visit in
                let visit = try await visits.admitted(visit, to: access)
                guard let body = try MultipartBody(request) else { throw RequestProblem(.unsupportedMediaType) }
                let (form, file) = try await body.fields()
                return try await visits.submit(form, visit, for: access, showing: page) { submission in
                    let outcome = try await act(submission, FileFields(body, first: file))
                    return try await outcome.response(to: submission.visit, in: visits)
                }
            }
        }
    }

    /// A form that takes effect by one request of the API.
    ///
    /// - Parameter next: the address of the page that comes then; `{id}` and other parameters of the path are filled in.
    func form(
        _ path: RouterPath, does exchange: any AnyExchange, then next: String, notice: String? = nil,
        showing page: @escaping Make
    ) {
        form(path, for: exchange.endpoint.access, showing: page) { submission in
            try await submission.send(exchange)
            if let notice { submission.notice(notice) }
            let template = PathTemplate(next)
            var values: [String: String] = [:]
            for name in template.parameters { values[name] = try submission.visit.parameter(name) }
            return Redirect(to: template.path(values))
        }
    }
}

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
    /// Lets a form take effect, and returns the address of the page that comes next.
    typealias Act = @Sendable (Submission) async throws -> Redirect

    // MARK: Pages

    /// A page that is made from the catalogue alone. It is rendered once for all visitors of a language, until something
    /// changes that it shows.
    ///
    /// - Parameter parameters: the names of the query's parameters that change the page; all others are ignored.
    /// - Returns: the page for one visitor, for forms that show it again.
    @discardableResult
    func catalog(
        _ path: RouterPath, parameters: [String] = [],
        _ make: @escaping @Sendable (Visit, CatalogReading) throws -> PageContent
    ) -> Make {
        router.get(path) { [site, visits] request, context in
            try await visits.answer(request, context) { visit in
                let asked = visit.queryItems.filter { item in
                    parameters.contains { $0 == item.name || $0.hasSuffix("*") && item.name.hasPrefix($0.dropLast()) }
                }
                let name = "\(visit.language.rawValue) \(visit.path)?\(QueryString(asked).encoded)"
                let page = try await site.pages.answer(to: name) { reading in
                    site.bytes(try make(visit, reading), visit, menu: site.menu(reading.snapshot, visit))
                }
                return site.response(page, visit)
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
                    visits.response(to: try await act(submission), submission.visit)
                }
            }
        }
    }

    /// A form with files, which come after its other fields. They are read only for a visitor who may send the form.
    func form(
        _ path: RouterPath, for access: Access, showing page: @escaping Make,
        files act: @escaping @Sendable (Submission, FileFields) async throws -> Response
    ) {
        router.post(path) { [visits] request, context in
            try await visits.answer(request, context) { visit in
                let visit = try await visits.admitted(visit, to: access)
                guard let body = try MultipartBody(request) else { throw RequestProblem(.unsupportedMediaType) }
                let (form, file) = try await body.fields()
                return try await visits.submit(form, visit, for: access, showing: page) { submission in
                    var response = try await act(submission, FileFields(body, first: file))
                    submission.visit.cookies.write(to: &response)
                    return response
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
            if let notice { submission.visit.cookies.set(.notice, to: notice, for: 60) }
            let template = PathTemplate(next)
            var values: [String: String] = [:]
            for name in template.parameters { values[name] = try submission.visit.parameter(name) }
            return Redirect(to: template.path(values))
        }
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire
import Synchronization

/// A page and the path that leads to it, for forms that show it again.
struct PageRoute: Sendable {
    let path: RouterPath
    private let make: PageRoutes.Make

    init(_ path: RouterPath, _ make: @escaping PageRoutes.Make) {
        self.path = path
        self.make = make
    }

    func callAsFunction(_ visit: Visit) async throws -> PageContent { try await make(visit) }

    /// The address of the page, with the parameters and the query of a visit, such as of a form on the page.
    func address(_ visit: Visit) throws -> String {
        try visit.filled(path.description) + (visit.request.uri.query.map { "?" + $0 } ?? "")
    }
}

extension Visit {
    /// The path with the parameters of the visit's own path.
    fileprivate func filled(_ path: String) throws -> String {
        let template = PathTemplate(path)
        var values: [String: String] = [:]
        for name in template.parameters { values[name] = try parameter(name) }
        return template.path(values)
    }
}

/// Makes the routes of pages and forms from their paths. A page comes before the forms on it.
struct PageRoutes {
    let site: Site
    let router: Router<PouchRequestContext>
    let known: PagePaths

    private var visits: Visits { Visits(site: site) }

    /// Makes a page for one visitor.
    typealias Make = @Sendable (Visit) async throws -> PageContent
    /// Lets a form take effect, and returns the address of the page that comes next, or that page itself.
    typealias Act = @Sendable (Submission) async throws -> any FormOutcome
    /// Runs a form and returns the response.
    typealias Effect = @Sendable (Submission) async throws -> Response

    // MARK: Pages

    /// A page that is made from the catalogue alone. It is rendered once for all visitors of a language, until something
    /// changes that it shows.
    ///
    /// - Parameters:
    ///   - parameters: the names of the query's parameters that change the page; all others are ignored. A name that ends
    ///     with `*` stands for all names that begin so.
    ///   - missing: makes the page of what the catalogue does not have; nil for that of every unknown address.
    func catalog(
        _ path: RouterPath, parameters: [String] = [], missing: Make? = nil,
        _ make: @escaping @Sendable (Visit, CatalogReading) throws -> PageContent
    ) {
        get(path) { [site] visit in
            let asked = visit.queryItems.filter { item in
                parameters.contains { $0 == item.name || $0.hasSuffix("*") && item.name.hasPrefix($0.dropLast()) }
            }
            let language = visit.namedLanguage.map { QueryString.Item(name: "lang", value: $0.rawValue) }
            let query = QueryString(asked + [language].compactMap(\.self)).encoded
            let name = "\(visit.language.rawValue) \(visit.path)?\(query)"
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

    /// A page that is made for each visitor.
    ///
    /// - Parameter access: the visitors who may see it; others are asked to sign in. A page for guests is shown also to
    ///   visitors without a session.
    /// - Returns: the same, for forms that show it again.
    @discardableResult
    func page(_ path: RouterPath, for access: Access, _ make: @escaping Make) -> PageRoute {
        get(path) { [site, visits] visit in
            let visit = try await visits.admitted(visit, to: access)
            return try await site.response(try await make(visit), visit)
        }
        return PageRoute(path, make)
    }

    /// A response that is no page, such as a file or a stream, for a visitor who may have it.
    func file(_ path: RouterPath, for access: Access, _ make: @escaping @Sendable (Visit) async throws -> Response) {
        get(path) { [visits] visit in
            let visit = try await visits.admitted(visit, to: access)
            var response = try await make(visit)
            visit.cookies.write(to: &response)
            return response
        }
    }

    private func get(_ path: RouterPath, _ answer: @escaping @Sendable (Visit) async throws -> Response) {
        known.add("GET", path)
        router.get(path) { [visits] request, context in try await visits.answer(request, context, answer) }
    }

    // MARK: Forms

    /// Adds the POST route of a form. If the path has no page, a GET for it redirects to the form's page: after a failed
    /// POST the browser shows the form's address, and a reload, a change of language or a sign-in sends a GET to it.
    private func post(
        _ path: RouterPath, showing page: PageRoute,
        _ answer: @escaping @Sendable (Visit) async throws -> Response
    ) {
        if !known.contains("GET", path) {
            get(path) { throw Redirect(to: try page.address($0)) }
        }
        known.add("POST", path)
        router.post(path) { [visits] request, context in try await visits.answer(request, context, answer) }
    }

    /// A form, which is sent to the path.
    ///
    /// - Parameters:
    ///   - access: as for `page`; a visitor without a session gets that of a guest for a form of guests.
    ///   - page: shown again, with what was typed and why, if the form does not take effect.
    func form(
        _ path: RouterPath, for access: Access, showing page: PageRoute, _ act: @escaping Act
    ) {
        post(path, showing: page) { [visits] visit in
            let form = try await visits.fields(of: visit)
            return try await visits.submit(form, visit, for: access, showing: page) { submission in
                try await act(submission).response(to: submission.visit, in: visits)
            }
        }
    }

    /// A form with files, which come after its other fields. They are read only for a visitor who may send the form.
    func form(
        _ path: RouterPath, for access: Access, showing page: PageRoute,
        files act: @escaping @Sendable (Submission, FileFields) async throws -> any FormOutcome
    ) {
        post(path, showing: page) { [visits] visit in
            let visit = try await visits.admitted(visit, to: access)
            guard let body = try MultipartBody(visit.request) else { throw RequestProblem(.unsupportedMediaType) }
            let (form, file) = try await body.fields()
            return try await visits.submit(form, visit, for: access, showing: page) { submission in
                let outcome = try await act(submission, FileFields(body, first: file))
                return try await outcome.response(to: submission.visit, in: visits)
            }
        }
    }

    /// A form that takes effect by one request of the API.
    ///
    /// - Parameter next: the address of the page that comes then; `{id}` and other parameters of the path are filled in.
    func form(
        _ path: RouterPath, does exchange: any AnyExchange, then next: String, notice: String? = nil,
        showing page: PageRoute
    ) {
        form(path, for: exchange.endpoint.access, showing: page) { submission in
            try await submission.send(exchange)
            if let notice { submission.notice(notice) }
            return Redirect(to: try submission.visit.filled(next))
        }
    }
}

/// The paths of pages and forms, with their methods.
final class PagePaths: Sendable {
    private let methods = Mutex<[PathTemplate: Set<String>]>([:])

    func add(_ method: String, _ path: RouterPath) {
        methods.withLock { _ = $0[PathTemplate(path.description), default: []].insert(method) }
    }

    func contains(_ method: String, _ path: RouterPath) -> Bool {
        methods.withLock { $0[PathTemplate(path.description)]?.contains(method) ?? false }
    }

    /// The value of `Allow` for a request without a route; nil if no page has its path, or one has it with the method.
    func allowed(for request: Request) -> String? {
        let path = request.uri.path
        let found = methods.withLock {
            $0.filter { $0.key.matches(path) }.reduce(into: Set<String>()) { $0.formUnion($1.value) }
        }
        let names = found.contains("GET") ? found.union(["HEAD"]) : found
        guard !names.isEmpty, !names.contains(request.method.rawValue) else { return nil }
        return names.sorted().joined(separator: ", ")
    }
}

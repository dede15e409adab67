import Hummingbird
import PouchContract
import PouchDomain
import PouchHTTP
import PouchJSON
import PouchWire
import Synchronization

/// A page and its path, for forms that show the page again.
struct PageRoute: Sendable {
    let path: RouterPath
    private let make: PageRoutes.Make

    init(_ path: RouterPath, _ make: @escaping PageRoutes.Make) {
        self.path = path
        self.make = make
    }

    func callAsFunction(_ visit: Visit) async throws -> PageContent { try await make(visit) }

    /// The address of the page, with the parameters and the query of a visit, such as a submission of its form.
    func address(_ visit: Visit) throws -> String {
        try visit.filled(path.description) + (visit.request.uri.query.map { "?" + $0 } ?? "")
    }
}

extension Visit {
    /// The path, filled with the parameters of the visit's path.
    fileprivate func filled(_ path: String) throws -> String {
        let template = PathTemplate(path)
        var values: [String: String] = [:]
        for name in template.parameters { values[name] = try parameter(name) }
        return template.path(values)
    }
}

/// Adds the routes of pages and forms. Pages must be added before the forms on them.
struct PageRoutes {
    let site: Site
    let router: Router<PouchRequestContext>
    let registeredPaths: PagePaths

    private var visits: Visits { Visits(site: site) }

    /// Creates a page for one visitor.
    typealias Make = @Sendable (Visit) async throws -> PageContent
    /// Performs a form's effect, and returns the address of the next page or the page itself.
    typealias Act = @Sendable (Submission) async throws -> any FormOutcome
    /// Runs a form and returns the response.
    typealias Effect = @Sendable (Submission) async throws -> Response

    // MARK: Pages

    /// Adds a page that depends only on the catalogue. It is rendered once for all visitors of a language, and again
    /// when something that it shows changes.
    ///
    /// - Parameters:
    ///   - parameters: the query parameters that change the page; all others are ignored. A name that ends with `*`
    ///     matches all names with that prefix.
    ///   - missing: creates the page for items that the catalogue does not have; nil for the standard page.
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

    /// Adds a page that is rendered for each visitor.
    ///
    /// - Parameter access: the visitors who may see it; others are asked to sign in. A page for guests is also shown to
    ///   visitors without a session.
    /// - Returns: the page, for forms that show it again.
    @discardableResult
    func page(_ path: RouterPath, for access: Access, _ make: @escaping Make) -> PageRoute {
        get(path) { [site, visits] visit in
            let visit = try await visits.admitted(visit, to: access)
            return try await site.response(try await make(visit), visit)
        }
        return PageRoute(path, make)
    }

    /// Adds a response that is not a page, such as a file or a stream, for visitors who may access it.
    func file(_ path: RouterPath, for access: Access, _ make: @escaping @Sendable (Visit) async throws -> Response) {
        get(path) { [visits] visit in
            let visit = try await visits.admitted(visit, to: access)
            var response = try await make(visit)
            visit.cookies.write(to: &response)
            return response
        }
    }

    private func get(_ path: RouterPath, _ answer: @escaping @Sendable (Visit) async throws -> Response) {
        registeredPaths.add("GET", path)
        router.get(path) { [visits] request, context in try await visits.answer(request, context, answer) }
    }

    // MARK: Forms

    /// Adds the POST route of a form. If the path has no page, a GET redirects to the form's page: after a failed POST,
    /// the browser shows the form's address, and a reload, a change of language or a sign-in sends a GET to it.
    private func post(
        _ path: RouterPath, showing page: PageRoute, _ answer: @escaping @Sendable (Visit) async throws -> Response
    ) {
        if !registeredPaths.contains("GET", path) {
            get(path) { throw Redirect(to: try page.address($0)) }
        }
        registeredPaths.add("POST", path)
        router.post(path) { [visits] request, context in try await visits.answer(request, context, answer) }
    }

    /// Adds a form that is sent to a path.
    ///
    /// - Parameters:
    ///   - access: as for `page`; a form for guests starts a guest session for a visitor without a session.
    ///   - page: the page to show again, with the entries and the errors, if the form does not take effect.
    func form(_ path: RouterPath, for access: Access, showing page: PageRoute, _ act: @escaping Act) {
        post(path, showing: page) { [visits] visit in
            let form = try await visits.fields(of: visit)
            return try await visits.submit(form, visit, for: access, showing: page) { submission in
                try await act(submission).response(to: submission.visit)
            }
        }
    }

    /// Adds a form with files after its other fields. The files are read only if the visitor may send the form.
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
                return try await outcome.response(to: submission.visit)
            }
        }
    }

    /// Adds a form that takes effect with one API request.
    ///
    /// - Parameters:
    ///   - next: the address of the next page; `{id}` and other parameters of the path are filled in.
    ///   - key: the key of the notice's text, without `notice-`.
    ///   - text: the text of the notice, for a page in one language.
    func form(
        _ path: RouterPath, does exchange: any AnyExchange, then next: String, notice key: String? = nil,
        telling text: String? = nil, showing page: PageRoute
    ) {
        form(path, for: exchange.endpoint.access, showing: page) { submission in
            try await submission.perform(exchange)
            if let key { submission.notice(key) }
            if let text { submission.tell(text) }
            return Redirect(to: try submission.visit.filled(next))
        }
    }

    /// Adds a form that takes effect with one API request.
    ///
    /// - Parameter outcome: returns the notice and the address of the next page for the answer.
    func form<Input, Answer: JSONCodable>(
        _ path: RouterPath, does exchange: Exchange<Input, Answer>, showing page: PageRoute,
        _ outcome: @escaping @Sendable (Answer) -> (notice: String, next: String)
    ) {
        form(path, for: exchange.endpoint.access, showing: page) { submission in
            let (notice, next) = outcome(try await submission.send(exchange))
            submission.tell(notice)
            return Redirect(to: next)
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

    /// The value of `Allow` for a request without a route; nil if no page has the path, or one accepts the method.
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

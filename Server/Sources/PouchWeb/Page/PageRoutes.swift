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
        let site = site
        router.get(path) { request, context in
            let visit = open(request, context)
            return try await answer(visit) { visit in
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
        return { visit in try make(visit, CatalogReading(try await site.services.catalog.current())) }
    }

    /// A page that is made for each visitor.
    ///
    /// - Parameter access: the visitors who may see it; others are asked to sign in. A page for guests is shown also to
    ///   visitors without a session.
    /// - Returns: the same, for forms that show it again.
    @discardableResult
    func page(_ path: RouterPath, for access: Access, _ make: @escaping Make) -> Make {
        router.get(path) { request, context in
            try await answer(open(request, context)) { visit in
                let visit = try await admitted(visit, to: access)
                return try await site.response(try await make(visit), visit)
            }
        }
        return make
    }

    /// A response that is no page, such as a file or a stream, for a visitor who may have it.
    func file(_ path: RouterPath, for access: Access, _ make: @escaping @Sendable (Visit) async throws -> Response) {
        router.get(path) { request, context in
            try await answer(open(request, context)) { visit in
                let visit = try await admitted(visit, to: access)
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
        router.post(path) { request, context in
            try await answer(open(request, context)) { visit in
                let form = try await fields(of: visit)
                return try await submit(form, visit, for: access, showing: page, act)
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

    private func fields(of visit: Visit) async throws -> FormBody {
        let type = visit.request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
        guard type == "application/x-www-form-urlencoded" else { throw RequestProblem(.unsupportedMediaType) }
        let body = try await visit.request.body.collect(upTo: Limits.bodyBytes)
        guard let form = FormBody(urlEncoded: String(buffer: body)) else { throw RequestProblem(.invalidRequest) }
        return form
    }

    /// Checks that the form is of this visitor, and lets it take effect.
    func submit(
        _ form: FormBody, _ visit: Visit, for access: Access, showing page: @escaping Make, _ act: @escaping Act
    ) async throws -> Response {
        try checkOrigin(of: form, visit)
        var visit = try await admitted(visit, to: access)
        visit.form = form
        if access == .guestOrCustomer, visit.session == nil {
            let guest = Submission(site: site, visit: visit, form: FormBody([]))
            let session = try UserSession(json: await guest.send(Contract.startGuestSession))
            visit.session = try await site.sessions.begin(session, in: visit.cookies)
        }
        do {
            let redirect = try await act(Submission(site: site, visit: visit, form: form))
            return response(to: redirect, visit)
        } catch let redirect as Redirect {
            return response(to: redirect, visit)
        } catch {
            guard let problem = RequestProblem(error), !Self.concernsAccess(problem) else { throw error }
            visit.failure = FormFailure(problem, texts: site.texts(visit))
            var content = try await page(visit)
            content.status = .init(code: problem.code.status)
            return try await site.response(content, visit)
        }
    }

    /// A page of another site cannot make the form's token, and a browser says where a request comes from.
    private func checkOrigin(of form: FormBody, _ visit: Visit) throws {
        let site = visit.request.headers[.fetchSite]
        guard site == nil || site == "same-origin" || site == "none",
            let token = form["csrf"], self.site.sessions.isFormToken(token, of: visit.cookies)
        else { throw RequestProblem(.forbidden, "This form is too old. Open its page again, and send it from there.") }
    }

    // MARK: Visitors

    private func open(_ request: Request, _ context: PouchRequestContext) -> Visit {
        let cookies = CookieJar(request, isSecure: site.settings.isSecure)
        let wished = QueryString(parsing: request.uri.query ?? "")?.items.first { $0.name == "lang" }
            .flatMap { Language(rawValue: $0.value) }
        if let wished { cookies.set(.language, to: wished.rawValue, for: 365 * 24 * 3600) }
        let language = Language(chosen: cookies[.language], accepted: request.headers[.acceptLanguage])
        return Visit(request: request, context: context, cookies: cookies, language: language)
    }

    /// The visit with its session.
    ///
    /// - Throws: `Redirect` to the page for signing in.
    private func admitted(_ visit: Visit, to access: Access) async throws -> Visit {
        var visit = visit
        guard access != .anyone else { return visit }
        let session = try await site.sessions.session(of: visit.cookies, visit.request, visit.context)
        visit.session = session
        let isSignedIn = session.map { !$0.principal.isGuest } ?? false
        switch access {
        case .anyone, .guestOrCustomer: break
        case .customer: guard isSignedIn else { throw Self.signIn(for: visit, at: "/sign-in") }
        case .staff(let permission):
            guard let principal = session?.principal, principal.kind == .admin else {
                throw Self.signIn(for: visit, at: "/admin/sign-in")
            }
            var staff = principal
            staff.demand = Principal.Demand(
                permission: permission, needsSecondFactor: site.shop.staffNeedsSecondFactor)
            visit.session = session.map { WebSession(principal: staff, accessToken: $0.accessToken) }
        }
        return visit
    }

    /// Comes back to the page after the sign-in. A form is not sent again, since its page is the place to look at first.
    private static func signIn(for visit: Visit, at path: String) -> Redirect {
        let page = visit.request.method == .get ? visit.request.uri.string : nil
        var query = QueryString()
        query.append("next", Redirect.localPath(page))
        return Redirect(to: query.items.isEmpty ? path : path + "?" + query.encoded)
    }

    private static func concernsAccess(_ problem: RequestProblem) -> Bool {
        [.unauthenticated, .tokenExpired, .freshSignInRequired, .secondFactorNeeded].contains(problem.code)
    }

    // MARK: Answers

    /// Turns errors into pages.
    private func answer(
        _ visit: Visit, _ make: (Visit) async throws -> Response
    ) async throws -> Response {
        do {
            return try await make(visit)
        } catch let redirect as Redirect {
            return response(to: redirect, visit)
        } catch {
            guard let problem = RequestProblem(error) else { throw error }
            let isStaff = visit.path.hasPrefix("/admin")
            switch problem.code {
            case .unauthenticated, .tokenExpired:
                site.sessions.end(in: visit.cookies)
                return response(to: Self.signIn(for: visit, at: isStaff ? "/admin/sign-in" : "/sign-in"), visit)
            case .freshSignInRequired:
                return response(to: Self.signIn(for: visit, at: isStaff ? "/admin/confirm" : "/confirm"), visit)
            case .secondFactorNeeded: return response(to: Redirect(to: "/account/second-factor"), visit)
            default: return try await site.response(ProblemPage(site).content(problem, visit), visit)
            }
        }
    }

    private func response(to redirect: Redirect, _ visit: Visit) -> Response {
        var response = Response(status: .seeOther, headers: [.location: redirect.location, .cacheControl: "no-store"])
        visit.cookies.write(to: &response)
        return response
    }
}

import HTTPTypes
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

/// The steps around each page and form: finding the language and the session, checking permissions and the origin of
/// forms, and showing pages for errors.
struct Visits: Sendable {
    let site: Site

    // MARK: Forms

    /// The fields of a form without files, in either encoding.
    ///
    /// - Throws: `RequestProblem`.
    func fields(of visit: Visit) async throws -> FormBody {
        if let body = try MultipartBody(visit.request) {
            let (form, file) = try await body.fields()
            guard file == nil else { throw RequestProblem(.invalidRequest, "This form does not accept files.") }
            return form
        }
        let type = visit.request.headers[.contentType]?.mediaType
        guard type == "application/x-www-form-urlencoded" else { throw RequestProblem(.unsupportedMediaType) }
        let body = try await visit.request.collected()
        guard let form = FormBody(urlEncoded: String(buffer: body)) else { throw RequestProblem(.invalidRequest) }
        return form
    }

    /// Checks that the form is from this visitor, and performs its effect. An expired form is shown again.
    func submit(
        _ form: FormBody, _ visit: Visit, for access: Access, showing page: PageRoute, _ act: PageRoutes.Effect
    ) async throws -> Response {
        // Compares the tokens first, because ending a session renews the token.
        let isCurrent = try checkOrigin(of: form, visit)
        var visit = try await admitted(visit, to: access)
        visit.form = form
        guard isCurrent else {
            let text = visit.text("form-too-old")
            return try await shown(page, again: visit, Self.tooOld, summary: text)
        }
        if access == .guestOrCustomer, visit.session == nil {
            let session = try await Submission(visit: visit).send(Contract.startGuestSession)
            visit.session = try await site.sessions.begin(session, in: visit.cookies)
        }
        let submission = Submission(visit: visit)
        do {
            return try await visit.part.aroundForms(submission, act)
        } catch let redirect as Redirect {
            return redirect.response(to: visit)
        } catch {
            let problem = RequestProblem(error, in: visit.context)
            guard !Self.concernsAccess(problem) else { throw error }
            return try await shown(page, again: visit, problem)
        }
    }

    /// Shows the page of a form that did not take effect, with the entries and the errors.
    ///
    /// - Parameter summary: the reason; nil for the problem's own text.
    private func shown(
        _ page: PageRoute, again visit: Visit, _ problem: RequestProblem, summary: String? = nil
    ) async throws -> Response {
        var visit = visit
        let text = ProblemText(
            texts: visit.part.problemTexts(visit), language: visit.language,
            isSignedIn: visit.isSignedIn, form: visit.form)
        var failure = FormFailure(problem, text)
        if let summary { failure.summary = summary }
        if let short = problem.lines {
            let lines = LineValues(visit: visit, catalog: try await site.services.catalog.current())
            failure.fields += short.map { ("", lines.text($0)) }
        }
        visit.failure = failure
        var content = try await page(visit)
        content.setStatus(of: problem)
        return try await site.response(content, visit)
    }

    /// Checks that a form is from this site. Another site cannot create the form's token, and the browser reports the
    /// origin of a request.
    ///
    /// - Returns: whether the form has this visitor's token; false for an expired form from this site.
    /// - Throws: `RequestProblem` for a form that may be from another site.
    private func checkOrigin(of form: FormBody, _ visit: Visit) throws -> Bool {
        let isCurrent = form["csrf"].map { site.sessions.forms.accepts($0, of: visit.cookies) } ?? false
        guard isCurrent ? mayBeSameOrigin(visit.request) : visit.request.headers[.fetchSite] == "same-origin" else {
            throw Self.tooOld
        }
        return isCurrent
    }

    private static var tooOld: RequestProblem {
        RequestProblem(.forbidden, "This form has expired. Reload its page and send it from there.")
    }

    /// Whether the request may be same-origin: the browser reports that it is, or that a person started it. Older
    /// browsers report only the origin; the shop may have several host names, and a proxy may change the requested one.
    private func mayBeSameOrigin(_ request: Request) -> Bool {
        if let place = request.headers[.fetchSite] { return place == "same-origin" || place == "none" }
        guard let origin = request.headers[.origin] else { return true }
        let authority = request.head.authority ?? ""
        return origin == "https://" + authority || origin == "http://" + authority
            || (site.settings.publicURL + "/").hasPrefix(origin + "/")
    }

    // MARK: Visitors

    private func open(_ request: Request, _ context: PouchRequestContext) -> Visit {
        let cookies = CookieJar(request, isSecure: site.settings.isSecure)
        let wished = request.uri.query.flatMap { QueryString(parsing: $0)?.items.first { $0.name == "lang" } }
            .flatMap { Language(rawValue: $0.value) }
        if let wished { cookies.set(.language, to: wished.rawValue, for: 365 * 24 * 3600) }
        let path = Self.withoutEmptySegments(request.uri.path)
        let part = SitePart.containing(path)
        let language =
            part.language ?? Language(chosen: cookies[.language], accepted: request.headers[.acceptLanguage])
        return Visit(
            site: site, request: request, context: context, path: path, part: part, cookies: cookies, language: language
        )
    }

    private static func withoutEmptySegments(_ path: String) -> String {
        let slash = UInt8(ascii: "/")
        var (last, hasEmptySegment) = (UInt8(0), path.utf8.last == slash)
        // Every page does this, and few paths have an empty segment.
        for byte in path.utf8 {
            hasEmptySegment = hasEmptySegment || byte == slash && last == slash
            last = byte
        }
        guard hasEmptySegment else { return path }
        return "/" + path.split(separator: "/").joined(separator: "/")
    }

    /// Returns the visit with its session, if the visitor has the given access.
    ///
    /// - Throws: `Redirect` to the sign-in page; `DomainError.unauthenticated` for a page if the session has ended.
    func admitted(_ visit: Visit, to access: Access) async throws -> Visit {
        var visit = visit
        guard access != .anyone else { return visit }
        do {
            visit.session = try await site.sessions.session(of: visit.cookies, visit.request, visit.context)
        } catch DomainError.unauthenticated where visit.request.method == .post {
            // A form for guests starts a new session, as the sign-in does.
            site.sessions.end(in: visit.cookies)
        }
        switch access {
        case .anyone, .guestOrCustomer: break
        case .customer: guard visit.isSignedIn else { throw Self.signIn(for: visit) }
        case .staff(let permission):
            guard let principal = visit.session?.principal, principal.kind == .admin else {
                throw Self.signIn(for: visit)
            }
            var staff = principal
            staff.requirements = Principal.Requirements(
                permission: permission, needsSecondFactor: site.shop.staffNeedsSecondFactor)
            visit.session = visit.session.map { WebSession(principal: staff, accessToken: $0.accessToken) }
        }
        return visit
    }

    /// Redirects to the sign-in, which returns to the page afterwards. A form is not sent again: its address leads to
    /// its page, where the visitor can check it first.
    private static func signIn(for visit: Visit) -> Redirect {
        let next = Redirect.localPath(visit.address)
        return Redirect(to: PagePath.adding([("next", next)], to: visit.part.signInPath))
    }

    private static func concernsAccess(_ problem: RequestProblem) -> Bool {
        [.unauthenticated, .tokenExpired, .secondFactorNeeded].contains(problem.code)
    }

    // MARK: Answers

    /// Creates the visit of a request, and turns errors into pages.
    func answer(
        _ request: Request, _ context: PouchRequestContext, _ make: (Visit) async throws -> Response
    ) async throws -> Response {
        try await answer(open(request, context), make)
    }

    private func answer(_ visit: Visit, _ make: (Visit) async throws -> Response) async throws -> Response {
        do {
            return try await make(visit)
        } catch let redirect as Redirect {
            return redirect.response(to: visit)
        } catch {
            let problem = RequestProblem(error, in: visit.context)
            switch problem.code {
            case .unauthenticated, .tokenExpired:
                let isGuest = try await site.sessions.isOfGuest(visit.cookies)
                site.sessions.end(in: visit.cookies)
                guard isGuest else { return Self.signIn(for: visit).response(to: visit) }
                // A guest has no account to sign in to, and continues without a session.
                visit.show(Notice(visit.text("notice-guest-session-ended"), isGood: false))
                guard visit.request.method != .post else { return Redirect(to: PagePath.cart).response(to: visit) }
                return try await answer(visit, make)
            case .secondFactorNeeded: return Redirect(to: AdminPath.secondFactor).response(to: visit)
            default:
                return try await site.response(await visit.part.problemPage(problem, visit), visit)
            }
        }
    }
}

import Foundation
import Hummingbird
import PouchDomain
import PouchHTTP
import PouchWire

/// A request for a page, or a submission of a form.
struct Visit: Sendable {
    let site: Site
    let request: Request
    let context: PouchRequestContext
    /// The path without empty segments, which the router ignores. Browsers treat a link to `//name` as a link to
    /// another server.
    let path: String
    let part: SitePart
    let cookies: CookieJar
    let language: Language
    /// The session; nil for a visitor without one. A page that is the same for all visitors does not read it.
    var session: WebSession?
    /// The fields of the form; nil on a GET.
    var form: FormBody?
    /// The reason why the form did not take effect and its page is shown again.
    var failure: FormFailure?

    /// The session and owner on whose behalf a form, or a page for signed-in visitors, acts.
    ///
    /// - Throws: `DomainError.unauthenticated` without one.
    var principal: Principal {
        get throws {
            guard let session else { throw DomainError.unauthenticated }
            return session.principal
        }
    }

    /// Whether the visitor is signed in to an account.
    var isSignedIn: Bool { session?.principal.isGuest == false }

    /// The path with the query, as received.
    var address: String { path + (request.uri.query.map { "?" + $0 } ?? "") }

    /// A parameter of the path, percent-decoded.
    ///
    /// - Throws: `RequestProblem` if it cannot be decoded.
    func parameter(_ name: String) throws -> String {
        guard let text = context.parameters.get(name)?.removingPercentEncoding, !text.utf8.contains(0) else {
            throw RequestProblem(.notFound)
        }
        return text
    }

    /// The first value of a query parameter; nil if it is missing or blank.
    func query(_ name: String) -> String? {
        let value = queryItems.first { $0.name == name }?.value
        return value?.allSatisfy(\.isWhitespace) == false ? value : nil
    }

    /// The language in the address, for a page of the shop.
    var namedLanguage: Language? { part.language == nil ? query("lang").flatMap(Language.init(rawValue:)) : nil }

    /// All query parameters; empty if the query cannot be decoded. A link may have parameters that the page does not
    /// use, such as those of a campaign.
    var queryItems: [QueryString.Item] { request.uri.query.flatMap { QueryString(parsing: $0)?.items } ?? [] }

    /// Runs a read transaction for the visitor's session.
    ///
    /// - Throws: `DomainError.unauthenticated` without an active session, and the error for a missing permission.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (Principal, any ShopRepositories) throws -> Result
    ) async throws -> Result {
        let principal = try principal
        return try await site.services.store.read { repositories in
            try principal.checkSession(in: repositories)
            return try body(principal, repositories)
        }
    }

    /// The texts of the visitor's language.
    var texts: [String: String] { site.theme.texts(language) }

    /// The text of a key in the visitor's language, with each `%@` replaced by the next value.
    func text(_ key: String, _ values: String...) -> String {
        let text = texts[key] ?? key
        // Most texts have no placeholder, and a search by characters takes longer.
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var rest = values[...]
        let parts = text.components(separatedBy: "%@")
        return parts.dropFirst().reduce(parts.first ?? "") { $0 + (rest.popFirst() ?? "") + $1 }
    }

    /// A sentence that says whether prices include tax.
    var pricesNote: String {
        guard !site.shop.taxes.regions.isEmpty else { return text("prices-untaxed") }
        return text(site.shop.taxes.pricesIncludeTax ? "prices-with-tax" : "prices-without-tax")
    }

    /// The text in a field: the visitor's entry if the form failed, otherwise the stored value.
    ///
    /// - Parameter field: the field's name, without its type.
    func enteredValue(_ field: String, default stored: String? = nil) -> String {
        form?[field] ?? stored ?? ""
    }
}

/// A part of the site, chosen by the path of a visit: the shop or its administration. Contains the differences between
/// the pages of the parts.
struct SitePart: Sendable {
    /// The language of all its pages; nil for the visitor's language.
    let language: Language?
    let signInPath: String
    /// The prefix of input ids, before the name of the field.
    let inputPrefix: String
    /// The texts of problems with forms, by key; the API's own texts replace missing ones.
    let problemTexts: @Sendable (Visit) -> [String: String]
    /// Creates the page for a request that failed.
    let problemPage: @Sendable (RequestProblem, Visit) async -> PageContent
    /// Wraps the effect of each form, for example to ask for the password first.
    let aroundForms: @Sendable (Submission, PageRoutes.Effect) async throws -> Response

    static let shop = SitePart(
        language: nil, signInPath: "/sign-in", inputPrefix: "", problemTexts: { $0.texts },
        problemPage: { $1.problemPage($0) }, aroundForms: { try await $1($0) })

    /// The administration, in English. Problems show the API's own text unless it refers to JSON.
    static let administration = SitePart(
        language: .english, signInPath: AdminPath.signIn, inputPrefix: "f-", problemTexts: { _ in AdminProblem.texts },
        problemPage: { await AdminProblem.content($0, $1) }, aroundForms: AdminConfirmation.around)

    static func containing(_ path: String) -> SitePart { AdminPath.contains(path) ? administration : shop }
}

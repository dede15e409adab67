import Foundation
import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

/// A request for a page, or a submission of a form.
struct Visit: Sendable {
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

    /// The text in a field: the visitor's entry if the form failed, otherwise the stored value.
    ///
    /// - Parameter field: the field's name, without its type.
    func typed(_ field: String, or stored: String? = nil) -> String {
        form?[field] ?? stored ?? ""
    }
}

import Foundation
import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

/// One request for a page, or of a form.
struct Visit: Sendable {
    let request: Request
    let context: PouchRequestContext
    /// The path without empty segments, which the router ignores. A browser takes a link to `//name` for one to another
    /// server.
    let path: String
    let part: SitePart
    let cookies: CookieJar
    let language: Language
    /// nil for a visitor without one; a page that is the same for all does not ask for it.
    var session: WebSession?
    /// The fields of the form; nil on a GET.
    var form: FormBody?
    /// The reason why the form did not take effect, so that its page is shown again.
    var failure: FormFailure?

    /// The session and owner that a page for signed-in visitors, or a form, acts for.
    ///
    /// - Throws: `DomainError.unauthenticated` without one.
    var principal: Principal {
        get throws {
            guard let session else { throw DomainError.unauthenticated }
            return session.principal
        }
    }

    /// The path with the query as it came.
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

    /// The first value of a parameter of the query; nil without one and for a blank one.
    func query(_ name: String) -> String? {
        let value = queryItems.first { $0.name == name }?.value
        return value?.allSatisfy(\.isWhitespace) == false ? value : nil
    }

    /// The language that the address names, for a page of the shop.
    var namedLanguage: Language? { part.language == nil ? query("lang").flatMap(Language.init(rawValue:)) : nil }

    /// All parameters of the query; none if it cannot be decoded. A link may have others than those of the page, such as
    /// those of a campaign.
    var queryItems: [QueryString.Item] { request.uri.query.flatMap { QueryString(parsing: $0)?.items } ?? [] }

    /// The text that a field shows: what was typed into it before the form failed, otherwise the stored value.
    ///
    /// - Parameter field: the field's name, without its type.
    func typed(_ field: String, or stored: String? = nil) -> String {
        form?[field] ?? stored ?? ""
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import PouchEntities

/// A page before it is rendered: its values, and what its head says.
///
///     PageContent(PasswordValues(email: profile.email), title: "Password")
struct PageContent: Sendable {
    var values: any PageModel
    /// The text of the browser's tab, without the shop's name.
    var title: String
    /// The values of a frame within that of all pages, such as that of the administration.
    var frame: (any PageValues)?
    /// Shown unless a form has left another one for this page.
    var notice: Notice?
    var failure = Failure.ofVisit
    var status = HTTPResponse.Status.ok
    /// For search engines and previews of links; nil for none.
    var description: String?
    /// The one address of the page, for search engines; nil for a page that they are to leave out.
    var canonicalPath: String?
    /// The path of the page with the query that it needs, for the links to it in other languages; nil for the path of
    /// the request.
    var address: String?
    /// The form whose entries stay when the visitor chooses another language.
    var form: Form?
    /// The type of previews of links (Open Graph).
    var kind = "website"
    /// The picture of previews of links.
    var picture: String?
    /// The price in previews of links to a product.
    var price: Money?
    /// Facts for search engines as JSON-LD.
    var facts: String?
    /// The script of the page; that of the shop unless it belongs to another part.
    var script = "shop"
    /// That of a page unless the template writes something else, such as a feed.
    var mediaType = PageHeaders.html
    /// Headers in addition to those of every page.
    var headers: HTTPFields = [:]

    struct Form: Sendable {
        let id: String
        /// The form's address that shows the page again, and takes no other effect that the visitor would not expect.
        let address: String
    }

    /// The errors that the page shows with its form.
    enum Failure: Sendable {
        /// Those of the form that the visitor has sent, whose inputs have ids with the prefix of the site's part.
        case ofVisit
        /// The same, whose inputs have ids with this prefix.
        case ofInputs(prefix: String)
        case own(FormErrors)
        case none
    }

    init(_ values: some PageModel, title: String) {
        self.values = values
        self.title = title
    }

    var template: String { type(of: values).template }

    func errors(of visit: Visit) -> FormErrors? {
        switch failure {
        case .ofVisit: visit.failure?.errors(prefix: visit.part.inputPrefix)
        case .ofInputs(let prefix): visit.failure?.errors(prefix: prefix)
        case .own(let errors): errors
        case .none: nil
        }
    }
}

/// The outcome of a form that took effect: the address of a page, a page that has no address of its own, or an answer to
/// a script.
protocol FormOutcome: Sendable {
    func response(to visit: Visit, in visits: Visits) async throws -> Response
}

extension PageContent: FormOutcome {
    func response(to visit: Visit, in visits: Visits) async throws -> Response {
        try await visits.site.response(self, visit)
    }
}

extension Response: FormOutcome {
    func response(to visit: Visit, in visits: Visits) -> Response {
        var response = self
        visit.cookies.write(to: &response)
        return response
    }
}

/// The address of the page that shows the outcome of a form, or of the one that took the place of another.
struct Redirect: Error, FormOutcome {
    let location: String
    /// Whether search engines forget the old address.
    let isPermanent: Bool

    /// - Parameter location: a path of this server, with its query.
    init(to location: String, isPermanent: Bool = false) {
        self.location = location
        self.isPermanent = isPermanent
    }

    func response(to visit: Visit, in visits: Visits) -> Response { visits.response(to: self, visit) }

    /// The path that a query names, if it is one of this server. Another address could lead the visitor to a copy of the
    /// shop.
    static func localPath(_ text: String?) -> String? {
        guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.hasPrefix("/\\"), text.utf8.count <= 512,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return text
    }
}

import Foundation
import HTTPTypes

/// A page before it is rendered: its template, its values, and what its head says.
struct PageContent: Sendable {
    var template: String
    /// The text of the browser's tab, without the shop's name.
    var title: String
    var values: PageValues
    var status = HTTPResponse.Status.ok
    /// For search engines and previews of links; nil for none.
    var description: String?
    /// The one address of the page, for search engines; nil for a page that they are to leave out.
    var canonicalPath: String?
    /// The picture of previews of links.
    var picture: String?
    /// Facts for search engines as JSON-LD.
    var facts: String?
    /// The script of the page; that of the shop unless it belongs to another part.
    var script = "shop"
    /// Headers in addition to those of every page.
    var headers: HTTPFields = [:]

    init(_ template: String, title: String, _ values: PageValues = [:]) {
        self.template = template
        self.title = title
        self.values = values
    }
}

/// The outcome of a form that took effect: the address of the page that shows it.
struct Redirect: Error {
    let location: String

    /// - Parameter location: a path of this server, with its query.
    init(to location: String) {
        self.location = location
    }

    /// The path that a query names, if it is one of this server. Another address could lead the visitor to a copy of the
    /// shop.
    static func localPath(_ text: String?) -> String? {
        guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.hasPrefix("/\\"), text.utf8.count <= 512,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return text
    }
}

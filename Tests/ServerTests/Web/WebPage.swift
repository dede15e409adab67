import Foundation
import HTTPTypes

/// The response to a visitor of the pages.
struct WebPage: Sendable {
    /// The requested address, with its query.
    let address: String
    let status: Int
    let headers: HTTPFields
    /// The bytes, such as those of a file.
    let body: Data
    /// The target of the redirect: of this response, or of the form that led to the page. Nil without a redirect.
    let location: String?
    /// The HTML or XML, read once; empty for anything else.
    let tokens: [HTMLToken]

    init(address: String, status: Int, headers: HTTPFields, body: Data, location: String?) {
        (self.address, self.status, self.headers, self.body, self.location) = (address, status, headers, body, location)
        tokens = body.first == UInt8(ascii: "<") ? HTMLToken.all(of: String(decoding: body, as: UTF8.self)) : []
    }

    /// The HTML as received.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The text that people read on the page: without tags, with entities decoded, and with one space for each run of
    /// white space.
    var words: String { tokens.words }

    var title: String { element("title") ?? "" }

    /// The text of the page's heading.
    var heading: String { element("h1") ?? "" }

    /// The text of the first element with a tag; nil without one.
    func element(_ tag: String) -> String? {
        var inside: [HTMLToken]?
        for token in tokens {
            switch token {
            case .opening(name: tag, _): inside = inside ?? []
            case .closing(name: tag): if let inside { return inside.words }
            default: inside?.append(token)
            }
        }
        return nil
    }

    /// The attributes of all elements with a tag.
    func attributes(of tag: String) -> [[String: String]] {
        tokens.compactMap { token in
            if case .opening(name: tag, let attributes) = token { attributes } else { nil }
        }
    }

    /// The addresses of all links of the page, in order.
    var links: [String] { attributes(of: "a").compactMap { $0["href"] } }

    /// The address of the next page of a list.
    var next: String? { attributes(of: "a").first { $0["rel"] == "next" }?["href"] }

    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

    var isHTML: Bool { header("Content-Type")?.hasPrefix("text/html") == true }

    var forms: [WebForm] { WebForm.all(in: tokens, page: address) }

    /// The form that is sent to a path; of several, the first that has all of the fields.
    ///
    /// - Parameter action: the path, with or without the query.
    /// - Throws: `WebMistake` if there is none.
    func form(_ action: String, with names: some Collection<String> = [String]()) throws -> WebForm {
        let found = forms.filter { $0.action == action || $0.action.prefix { $0 != "?" } == action }
        guard let first = found.first else {
            let actions = forms.map(\.action).joined(separator: ", ")
            throw WebMistake("\(status) \(address) “\(heading)” has no form for \(action); it has \(actions)")
        }
        return found.first { form in names.allSatisfy(form.has) } ?? first
    }

    /// The fields that a browser would send if the visitor filled in nothing; empty without such a form.
    func fields(of action: String) -> [String: String] {
        let fields = (try? form(action).fields) ?? []
        return Dictionary(fields.map { ($0.name, $0.value) }) { $1 }
    }
}

import Foundation
import KooberScreens
import KooberTexts
import KooberWeb
import PouchEntities
import Testing

/// A site over an app whose screens the test sets, and the browser of its user.
@MainActor final class SiteUnderTest {
    let app: PlayedApp
    let site: KooberSite
    let addresses = Received<String>()
    private var cookie = ""
    private var following: Task<Void, Never>?

    init(_ screen: KooberScreen, language: Language = .english) throws {
        let app = PlayedApp(screen)
        app.start()
        self.app = app
        site = KooberSite(app, language: language, port: 8081) { [addresses] in addresses.append($0) }
        let answer = answer("GET", String(site.address.trimmingPrefix("http://127.0.0.1:8081")))
        try #require(answer.status == 303)
        cookie = try #require(answer["set-cookie"]?.split(separator: ";").first.map(String.init))
        following = Task { [site] in await site.follow() }
    }

    deinit { following?.cancel() }

    /// - Parameter headers: replace those of the browser; nil leaves one out.
    func answer(
        _ method: String, _ target: String, _ headers: [String: String?] = [:], body: String = ""
    ) -> KooberWeb.WebAnswer {
        var all: [String: String?] = ["Host": "127.0.0.1:8081", "Cookie": cookie]
        if method == "POST" {
            all["Origin"] = "http://127.0.0.1:8081"
            all["Content-Type"] = "application/x-www-form-urlencoded"
            all["Sec-Fetch-Site"] = "same-origin"
        }
        all.merge(headers) { $1 }
        return site.answer(
            WebRequest(
                method: method, target: target, headers: all.compactMap { name, value in value.map { (name, $0) } },
                body: Data(body.utf8)))
    }

    func page() throws -> PageUnderTest {
        let answer = answer("GET", "/")
        try #require(answer.status == 200)
        return PageUnderTest(answer.text)
    }

    /// Sends a form as a browser does.
    func send(_ fields: [(name: String, value: String)], headers: [String: String?] = [:]) -> KooberWeb.WebAnswer {
        answer("POST", "/intentions", headers, body: Self.encoded(fields))
    }

    /// Sends the form of an intention from the present page, with this input.
    func intend(
        _ intention: String, input: [String: String] = [:], headers: [String: String?] = [:]
    ) throws -> KooberWeb.WebAnswer {
        let form = try #require(try page().forms.first { $0["intention"] == intention })
        return send(form.filled(with: input), headers: headers)
    }

    static func encoded(_ fields: [(name: String, value: String)]) -> String {
        let kept = CharacterSet.alphanumerics
        return fields.map { name, value in
            let value = value.addingPercentEncoding(withAllowedCharacters: kept) ?? ""
            return "\(name)=\(value.replacing("%20", with: "+"))"
        }.joined(separator: "&")
    }
}

extension KooberWeb.WebAnswer {
    var text: String {
        guard case .bytes(let data) = body else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    /// The value of a header, by its name in lower case.
    subscript(header: String) -> String? { headers.first { $0.name.lowercased() == header }?.value }
}

/// A page as a browser reads it, as far as the tests need it.
struct PageUnderTest {
    /// The fields of a form, with the names of those that people fill in.
    struct Form {
        let fields: [(name: String, value: String)]
        let source: String

        subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

        func filled(with input: [String: String]) -> [(name: String, value: String)] {
            fields.map { ($0.name, input[$0.name] ?? $0.value) }
        }
    }

    let source: String

    init(_ source: String) { self.source = source }

    var forms: [Form] {
        source.matches(of: /<form[^>]*>(.*?)<\/form>/).map { match in
            let fields = match.1.matches(of: /<input ([^>]*)>/).compactMap { input -> (String, String)? in
                guard let name = Self.attribute("name", of: input.1) else { return nil }
                return (name, Self.attribute("value", of: input.1) ?? "")
            }
            return Form(fields: fields, source: String(match.1))
        }
    }

    /// The forms that can be sent now: neither disabled nor under a dialog.
    var usableForms: [Form] {
        let parts = source.split(separator: /<div class="cover"/)
        let covers = parts.dropFirst()
        let open = covers.isEmpty ? parts.prefix(1) : covers.filter { !$0.prefix { $0 != ">" }.contains("inert") }
        return open.flatMap { PageUnderTest(String($0)).forms }.filter { form in !form.source.contains("disabled") }
    }

    func values(of attribute: String) -> [String] {
        source.matches(of: /<[a-z0-9]+ ([^>]*)>/).compactMap { Self.attribute(attribute, of: $0.1) }
    }

    /// The texts of all elements of a kind.
    func texts(of element: String) -> [String] {
        source.split(separator: "<\(element)").dropFirst().compactMap { part in
            guard [" ", ">"].contains(part.first), let start = part.firstIndex(of: ">") else { return nil }
            let end = part.firstRange(of: "</\(element)>")?.lowerBound ?? part.endIndex
            return Self.unescaped(part[part.index(after: start)..<end].replacing(/<[^>]*>/, with: ""))
        }
    }

    /// Elements that are opened and not closed, or closed in another order.
    var isBalanced: Bool {
        let void: Set<Substring> = ["input", "meta", "link"]
        var open: [Substring] = []
        for tag in source.matches(of: /<(\/?)([a-z0-9]+)[^>]*>/) where !void.contains(tag.2) {
            if tag.1.isEmpty {
                open.append(tag.2)
            } else if open.popLast() != tag.2 {
                return false
            }
        }
        return open.isEmpty
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        guard let start = " \(tag)".firstRange(of: " \(name)=\"") else { return nil }
        let rest = " \(tag)"[start.upperBound...]
        return unescaped(rest.prefix { $0 != "\"" })
    }

    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&#10;", with: "\n").replacing("&amp;", with: "&")
    }
}

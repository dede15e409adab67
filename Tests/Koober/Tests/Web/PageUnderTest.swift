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

    init(_ source: String) {
        self.source = source
    }

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
        return open.flatMap { PageUnderTest(String($0)).forms }.filter { form in
            !form.source.contains("disabled")
        }
    }

    /// All values of an attribute.
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

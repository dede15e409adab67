import ServerTesting
import Testing

@testable import PouchTemplates
@testable import PouchWeb

@Suite("The parts of the theme")
struct ThemePartsTests {
    private let parts: PageParts

    init() throws {
        parts = try PageParts()
    }

    /// The classes of the stylesheets that no element has.
    private static func unusedClasses(_ parts: PageParts) -> Set<String> {
        parts.styledClasses.subtracting(parts.templateClasses).subtracting(parts.scriptWords)
    }

    /// The classes of elements that neither a stylesheet nor a script knows.
    private static func unknownClasses(_ parts: PageParts) -> Set<String> {
        parts.templateClasses.subtracting(parts.styledClasses).subtracting(parts.scriptWords)
    }

    /// The names of values that no template has.
    private static func unusedNames(_ parts: PageParts) -> Set<String> {
        let names = (PageModels.frames + PageModels.all).reduce(into: Set()) { $0.formUnion(ValueNames.names(of: $1)) }
        // Shown by the partial `form-errors`, which the theme replaces by it.
        return names.subtracting(parts.templateNames).subtracting(["errorsPlace"])
    }

    @Test func `Every class of the stylesheets is used by an element`() {
        #expect(Self.unusedClasses(parts) == [])
    }

    @Test func `Every class of an element has a style, or a script that looks for it`() {
        #expect(Self.unknownClasses(parts) == [])
    }

    @Test func `Every value of a page is one that a template shows`() {
        #expect(Self.unusedNames(parts) == [])
    }

    @Test func `The templates pass the check of those of an owner, so each name has a value`() throws {
        let templates = parts.files.keys.filter(WebTheme.isTemplate).sorted()
        #expect(templates.contains("home.mustache") && templates.contains("robots.txt"))
        try ThemeCheck(files: parts.files, texts: try parts.texts()).check(templates)
    }

    /// The tests above would also pass if they found no part at all.
    @Test func `An unused part is found`() throws {
        var parts = parts
        parts.files["shop.css"]? += "@media print { .price > .left-over, a { color: red } }"
        parts.files["home.mustache"]? += #"<p class="card{{#season}} of-no-style{{/season}}">{{unknown}}</p>"#
        parts.files["cart.mustache"]?.replace("shippingHint", with: "discount")
        #expect(Self.unusedClasses(parts) == ["left-over"])
        #expect(Self.unknownClasses(parts) == ["of-no-style"])
        #expect(Self.unusedNames(parts) == ["shippingHint"])
        #expect(throws: TemplateMistake.self) {
            try ThemeCheck(files: parts.files, texts: try parts.texts()).check(["home.mustache"])
        }
    }

    @Test(arguments: [
        ("<p>{{nmae}}</p>", "unknown value “nmae”; the closest names are name, "),
        ("<p>{{t.hero-lnk}}</p>", "unknown text key “hero-lnk”; see en.json"),
        ("{{> home}}", "the template includes itself"),
    ])
    func `The mistake in a template is named`(template: String, problem: String) throws {
        var parts = parts
        parts.files["home.mustache"] = template
        let mistake = #expect(throws: TemplateMistake.self) {
            try ThemeCheck(files: parts.files, texts: try parts.texts()).check(["home.mustache"])
        }
        #expect(mistake?.file == "home.mustache" && mistake?.problem.hasPrefix(problem) == true, "\(problem)")
    }

    @Test(.inFolder, arguments: ["{\"home-new\": 1}", "[]", "New in"])
    func `A file of texts that is no JSON object of strings is refused`(text: String) throws {
        let folder = TemporaryFolder.current
        let file = try folder.file("de.json", text)
        let mistake = #expect(throws: TemplateMistake.self) { _ = try WebTheme(folder: folder) }
        #expect(mistake?.description == "\(file): must be a JSON object with string values.")
    }
}

import ServerTesting
import Testing

@testable import PouchWeb

@Suite("The links from the errors of a form to its inputs")
struct ErrorLinkTests {
    private static let page = """
        <form><legend id="f-types">Types</legend>
        <label for="f-name">Name</label><input class="x" id="f-name" value="&lt;">
        <p id="f-hint">Hint</p><textarea id="f-tags" name="tags:lines"></textarea>
        <tr><td><input id="f-rows-1-size"></td><td><select id="f-rows-1-price"><option></select></td></tr>
        <template id="new"><input id="f-pictures-__n__-alt"></template><input id="f-end">
        """

    private static func errors(_ field: String, _ text: String, in page: String) -> FormErrors {
        let item = FormErrors.Item(field: field, id: "f-" + field.replacing(".", with: "-"), text: text)
        return ErrorLinks(in: page).linked(FormErrors(summary: "No.", items: [item]))
    }

    @Test(arguments: [
        ("name", "f-name"), ("name.first", "f-name"), ("tags.3", "f-tags"), ("types.0", "f-types"),
        ("rows.1.price", "f-rows-1-price"), ("rows.1.price.amount", "f-rows-1-price"), ("rows.1", "f-rows-1-size"),
        ("rows.1.sku", "f-rows-1-size"), ("rows", "f-rows-1-size"), ("end", "f-end"), ("hint", nil), ("nam", nil),
        ("pictures.0.alt", nil), ("f", nil), ("", nil), ("other", nil),
    ])
    func `An error leads to its input, to one within or around its field, or nowhere`(field: String, id: String?) {
        let errors = Self.errors(field, "Wrong.", in: Self.page)
        #expect(errors.items.map(\.id) == [id] && errors.items.map(\.text) == ["Wrong."] && errors.summary == "No.")
    }

    @Test(arguments: [
        ("name", "name must have 1 to 9 characters.", "Name & title must have 1 to 9 characters."),
        ("name", "name: enter a whole number.", "Name & title: enter a whole number."),
        ("types", "types is missing.", "Kinds is missing."),
        ("a.b", "b must be from 1 to 2.", "Both must be from 1 to 2."),
        ("a.b", "a.b must be from 1 to 2.", "Both must be from 1 to 2."), ("name", "names differ.", "names differ."),
        ("name", "The name is taken.", "The name is taken."), ("end", "end must be a time.", "end must be a time."),
    ])
    func `The name of a field at the start of a text becomes its label`(field: String, text: String, told: String) {
        let page = """
            <legend id="f-types">Kinds <span class="optional">or all</span></legend><input id="f-end"> after
            <label class="x" for="f-name">Name &amp; title <span>optional</span></label><input id="f-name">
            <input id="f-a-b"><label for="f-a-b">Both</label>
            """
        #expect(Self.errors(field, text, in: page).items.map(\.text) == [told])
    }
}

@Suite("The errors of a form on its page", .inShop(), .timeLimit(.minutes(5)))
struct ErrorPageTests {
    private let visitor: WebVisitor

    init() async throws {
        visitor = try await TestShop.current.member(.owner)
    }

    @Test(arguments: [
        (["kind": "percentage", "basisPoints": "120"], "Enter a percentage from 0.01 to 100."),
        (["kind": "percentage", "basisPoints": "much"], "Percent: enter a number."),
        (["kind": "percentage", "basisPoints": ""], "Enter the percentage."),
        (["kind": "amount", "amount": "much"], "Amount in EUR: enter an amount, such as 49.90."),
        (["kind": "freeShipping", "limit": "0"], "Total uses must be from 1 to"),
    ])
    func `A discount's errors appear once, in its form's words`(typed: [String: String], text: String) async throws {
        let page = try await visitor.submit(
            at: "/admin/discounts/new", action: "/admin/discounts", typed.merging(["code": "WINTER"]) { $1 })
        #expect(page.status == 422 && page.words.contains("The form was not saved. Correct the marked fields."))
        #expect(page.words.components(separatedBy: text).count == 2, "\(page.words)")
        let fields = page.fields(of: "/admin/discounts")
        #expect(fields["code"] == "WINTER")
        if let percent = typed["basisPoints"] {
            #expect(fields["basisPoints?:percent"] == percent && page.links.contains("#f-basisPoints"))
        }
        #expect(!page.words.contains("basisPoints") && !page.words.contains("an object"))
    }

    @Test func `Errors of a discount's products lead to their field, and of categories to the boxes`() async throws {
        let fields = try await visitor.get("/admin/discounts/new").form("/admin/discounts").filled([
            "code": "WINTER", "kind": "percentage", "basisPoints": "10", "products": "cap\nno-such-thing",
        ])
        let page = try await visitor.post("/admin/discounts", fields + [("categories.90", "no-such-part")])
        #expect(page.status == 422 && page.words.contains("no-such-thing"))
        #expect(page.errorTargets() == ["f-products", "f-categories"])
    }

    @Test func `The error of an invalid price leads to its input`() async throws {
        for price in ["cheap", "-5"] {
            let page = try await visitor.submit(
                at: "/admin/prices",
                ["sku": "cap", "price": price, "startsAt": "2030-01-31T09:30", "endsAt": "2030-02-28T18:00"])
            #expect(page.status == 422 && page.errorTargets() == ["f-price"], "\(price)")
        }
    }

    @Test func `The error of an unknown event type leads to the boxes, that of an address to its input`() async throws {
        let form = try await visitor.get("/admin/webhooks").form("/admin/webhooks")
        for (url, types, targets) in [
            ("https://example.com/a", ["no.such"], ["f-types"]), ("http://10.0.0.1/hook", [], ["f-url"]),
        ] as [(String, [String], [String])] {
            let fields = try form.filled(["url": url]) + types.map { (name: "types.90", value: $0) }
            let page = try await visitor.post("/admin/webhooks", fields)
            #expect(page.status == 422 && page.errorTargets() == targets, "\(url) \(types)")
        }
    }

    @Test func `An error of a row without ids is a text, which leads to no other form`() async throws {
        let page = try await visitor.submit(at: "/admin/categories", action: "/admin/categories/hats", ["name": ""])
        #expect(page.status == 422 && page.hasAlert)
        #expect(page.errorTargets().isEmpty && page.attributes(of: "a").allSatisfy { $0["href"] != "#" })
    }
}

extension WebPage {
    /// The ids to which the page's errors lead, each of which the page has to have.
    fileprivate func errorTargets(_ sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
        let ids = ["input", "select", "textarea", "legend"].flatMap { attributes(of: $0).compactMap { $0["id"] } }
        let targets = links.filter { $0.hasPrefix("#f-") }.map { String($0.dropFirst()) }
        #expect(Set(ids).isSuperset(of: targets), "\(address)", sourceLocation: sourceLocation)
        return targets
    }
}

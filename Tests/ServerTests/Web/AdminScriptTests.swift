import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Texts of others in the administration", .timeLimit(.minutes(10)))
struct AdminScriptTests {
    private let shop = TestShop.current

    /// A text as people read it, with one space for each run of white space.
    private static func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test(.inShop(), arguments: InjectionCorpus.entries)
    func `What a customer writes stays text on every page`(text: String) async throws {
        let request = SignUpRequest(name: text, email: "ada@example.com", password: .password)
        let customer = shop.caller(try await shop.anyone.call(Contract.signUp, request).good())
        let address = Address(name: text, line1: text, line2: text, city: text, postalCode: "1", country: "DE")
        try await customer.addAddress(address).good()
        try await customer.add("cap").good()
        try await customer.ship(to: address).good()
        let order = try await customer.checkout(email: nil).good()
        let visitor = try await shop.member(.owner)
        let path = "/admin/orders/\(order.id)"
        let stale = try await visitor.get(path)
        _ = try await visitor.submit(stale, action: path + "/notes", ["text": text])
        _ = try await visitor.submit(
            at: path, action: path + "/fulfil", ["tracking.carrier": text, "tracking.number": text])
        _ = try await visitor.refund(order, "amount", ["amount": "1.00", "reason": text])
        let person = "/admin/customers/\(try #require(customer.session?.profile).id)"
        for address in ["/admin", "/admin/orders", path, path + "/invoice", "/admin/customers", person] {
            let page = try await visitor.get(address)
            #expect(page.status == 200 && page.words.contains(Self.words(text)), "\(address)")
            #expect(page.dangers == [], "\(address)")
        }
        let query = QueryString([QueryString.Item(name: "q", value: text)])
        for address in ["/admin/search", "/admin/orders", "/admin/customers"] {
            let page = try await visitor.open("\(address)?\(query.encoded)")
            #expect(page.status < 500 && page.dangers == [], "\(address)")
        }
        // Shown again after it did not take effect, with what was typed.
        let conflict = try await visitor.submit(stale, action: path + "/cancel")
        #expect(conflict.status == 412 && conflict.dangers == [])
    }

    /// With more of them, the walk through the pages would go beyond its limit.
    private static let few = InjectionCorpus.entries.prefix(4)
    private static let products = few.enumerated().map { index, text in
        FeedProduct.stocked("thing-\(index)", name: "N \(text)", category: "C \(text)")
    }

    @Test(.inShop(products))
    func `Texts from the administration and from outside are shown as texts on every page`() async throws {
        let (admin, owner) = try await shop.staff(.owner).atPages(of: shop)
        for (index, text) in Self.few.enumerated() {
            try await admin.newKey([.readOrders], name: "K \(text)").good()
            let url = "https://example.com/\(index)"
            try await admin.addWebhook(url, [.rideCancelled], description: "W \(text)").good()
            _ = try await shop.services.accounts.create(
                name: "S \(text)", email: "s\(index)@example.com", password: .password, role: .staff(.support))
            _ = try await shop.rows(
                """
                INSERT INTO mails (id, kind, recipient, content, created_at, due_at, failure)
                VALUES (?, 'orderPaid', ?, '{}', 1800000000000, 4000000000000, ?) RETURNING id
                """, [.text("mai_x\(index)"), .text("R \(text)"), .text("F \(text)")])
            // A form that is refused comes back with its texts.
            let again = try await owner.submit(
                at: "/admin/discounts/new", action: "/admin/discounts",
                ["code": text, "basisPoints": text, "minimum": text, "products": text, "startsAt": text])
            #expect([400, 422].contains(again.status) && again.dangers == [])
        }
        var words = ""
        for page in try await owner.adminPages() {
            #expect(page.dangers == [], "\(page.address)")
            words += page.words + " "
        }
        for text in Self.few {
            for prefix in ["K", "W", "S", "R", "F", "C"] { #expect(words.contains("\(prefix) \(text)")) }
        }
    }

    @Test(.inShop([])) func `No text of a feed becomes part of a page`() async throws {
        try await InjectionCorpus.store(in: shop)
        let owner = try await shop.member(.owner)
        let ids = try await shop.rows("SELECT id FROM products").map { try $0.text(0) }
        #expect(ids.count == InjectionCorpus.texts.count)
        let lists = [
            "/admin/products", "/admin/stock", "/admin/categories", "/admin/front-page", "/admin/products/new",
        ]
        for address in lists + ids.map({ "/admin/products/\($0)" }) {
            let page = try await owner.get(address)
            #expect(page.status == 200 && page.dangers == [], "\(address)")
        }
        // Also in what is shown again.
        for (id, text) in zip(ids, InjectionCorpus.texts) {
            let address = "/admin/products/\(id)"
            let page = try await owner.submit(at: address, ["name": text, "description": text, "tags": "a,\(text)"])
            #expect(page.status == 422 && page.dangers == [], "\(text)")
            #expect(page.fields(of: address)["description!"] == text, "\(text)")
        }
    }
}

import Foundation
import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Texts of customers in the administration", .timeLimit(.minutes(5)))
struct AdminScriptTests {
    private static let corpus = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        "</title><svg onload=alert(1)>", "{{csrf}} {{{shop}}} {{> admin-foot}}", "<!--", "&lt;b&gt;",
    ]

    /// Elements and attributes through which a text could run as a script.
    private func expectNoScript(_ page: WebPage, _ address: String) {
        #expect(page.status < 500, "\(address)")
        for token in HTMLToken.all(of: page.text) {
            guard case .opening(let name, let attributes) = token else { continue }
            if name == "script" { #expect(attributes["src"]?.hasPrefix("/web/") == true, "\(address)") }
            #expect(!attributes.keys.contains { $0.hasPrefix("on") }, "\(address) \(name)")
            #expect(attributes["src"].map { $0.hasPrefix("/") } ?? true, "\(address) \(name)")
            #expect(attributes["href"].map { !$0.hasPrefix("javascript:") } ?? true, "\(address) \(name)")
        }
    }

    @Test(arguments: corpus)
    func `What a customer writes stays text on every page`(text: String) async throws {
        try await TestShop.open { shop in
            let customer = shop.caller(
                try await shop.anyone.call(
                    Contract.signUp,
                    SignUpRequest(name: text, email: "ada@example.com", password: .password)
                ).good())
            let address = Address(name: text, line1: text, line2: text, city: text, postalCode: "1", country: "DE")
            try await customer.call(Contract.addAddress, AddressInput(address)).good()
            try await customer.add("cap").good()
            try await customer.ship(to: address).good()
            let order = try await customer.checkout(email: nil).good()
            let visitor = try await shop.member(.owner)
            let path = "/admin/orders/\(order.id)"
            let stale = try await visitor.get(path)
            _ = try await visitor.submit(stale, action: path + "/notes", ["text": text])
            _ = try await visitor.submit(
                try await visitor.get(path), action: path + "/fulfil",
                ["tracking.carrier": text, "tracking.number": text])
            _ = try await visitor.refund(order, "amount", ["amount": "1.00", "reason": text])

            var query = QueryString()
            query.append("q", text)
            let profile = try #require(customer.session?.profile)
            let shown = [
                "/admin", "/admin/orders", path, path + "/invoice", "/admin/customers",
                "/admin/customers/\(profile.id)",
            ]
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for page in shown {
                let answer = try await visitor.get(page)
                expectNoScript(answer, page)
                #expect(answer.status == 200 && answer.words.contains(words), "\(page)")
            }
            for page in ["/admin/search", "/admin/orders", "/admin/customers"] {
                expectNoScript(try await visitor.open("\(page)?\(query.encoded)"), page)
            }
            // Shown again after it did not take effect, with what was typed.
            let conflict = try await visitor.submit(stale, action: path + "/cancel")
            #expect(conflict.status == 412)
            expectNoScript(conflict, "conflict")
        }
    }
}

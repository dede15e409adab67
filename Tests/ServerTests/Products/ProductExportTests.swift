import ServerTesting
import Testing

@testable import PouchDomain

extension Caller {
    func export() async throws -> String {
        let answer = try await call(Contract.exportProducts)
        try #require(answer.status == 200, "\(answer.text)")
        #expect(answer.header("Content-Type")?.hasPrefix("text/csv") == true)
        return answer.text
    }

    /// Imports a CSV and waits for its end.
    @discardableResult
    func importCSV(_ text: String, _ query: String = "format=shopify-csv") async throws -> CatalogImport {
        let sent = try await send("POST", "/v1/admin/imports?" + query, text, headers: ["Content-Type": "text/csv"])
        try #require(sent.status == 202, "\(sent.text)")
        var found = try CatalogImport(json: sent.body)
        let id = found.id
        try await eventually {
            found = try await call(Contract.catalogImport, path: ["id": id]).good()
            return found.status != .running
        }
        return found
    }
}

@Suite("Bulk edit by CSV", .timeLimit(.minutes(5)), .inShop())
struct ProductExportTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller

    init() async throws { (admin, guest) = (try await shop.admin(), try await shop.guest()) }

    private func fill() async throws {
        let formulas = ["=1+1", "+49", "-1", "@cmd;=a|'-b", "'=1", "''@x", "'quoted'", "\"a\",b"]
        for (number, name) in formulas.enumerated() {
            try await admin.addProduct(
                ProductTerms(
                    name: name, handle: "odd-\(number)", status: number.isMultiple(of: 2) ? .published : .draft,
                    description: "=HYPERLINK(\"x\")\n<b>& co</b>\n\n- one\n- two", tags: ["-tag", "=tag", "plain"],
                    images: [
                        ProductImage(url: "https://shop.example/\(number).jpg", alt: "=alt"),
                        ProductImage(url: "https://shop.example/\(number)-b.jpg", alt: "Back"),
                    ],
                    variants: [
                        VariantTerms(
                            sku: "=sku-\(number)", options: ["Size": "+S", "Colour": "-red"], price: Money(1005, .eur),
                            compareAtPrice: Money(2000, .eur), weightGrams: 12, stock: 3),
                        VariantTerms(
                            sku: "sku-\(number)-b", options: ["Size": "M", "Colour": "blue"], price: Money(5, .eur)),
                    ])
            ).good()
        }
        try await admin.change(product: "gloves") { $0.status = .withdrawn }.good()
        try await admin.change(product: "odd-0") { $0.status = .archived }.good()
        try await admin.call(Contract.setCategory, NameRequest(name: "Head gear"), path: ["id": "hats"]).good()
    }

    @Test func `An export is imported without any change, and one edited cell is one changed product`() async throws {
        try await fill()
        let before = try await admin.pages(Contract.managedProducts, limit: 200).joined()
        let csv = try await admin.export()
        #expect(csv.hasPrefix("\u{FEFF}Handle,Title,"))
        // Units that are sold after the export stay sold.
        _ = try await guest.buyNow("cap", 2, total: 2490).good()
        let same = try await admin.importCSV(csv)
        #expect(same.status == .published && same.errors == [] && same.failed == 0)
        #expect(same.unchanged == 11 && same.updated == 0 && same.created == 0)
        let after = try await admin.pages(Contract.managedProducts, limit: 200).joined()
        #expect(after.map(\.version) == before.map(\.version) && after.map(\.details) == before.map(\.details))
        #expect(after.map(\.state) == before.map(\.state))
        #expect(try await shop.available("cap") == 8)

        let row = try #require(csv.split(separator: "\r\n").first { $0.hasPrefix("cap,Cap,") })
        #expect(row.contains(",10,10,10.00,"))
        let edited = csv.replacing(row, with: row.replacing(",10,10,10.00,", with: ",13,10,10.00,"))
        let one = try await admin.importCSV(edited)
        #expect(one.updated == 1 && one.unchanged == 10 && one.created == 0 && one.failed == 0)
        // Three units more than at the export, of which two were sold since.
        #expect(try await shop.available("cap") == 11)
        // The same file again adds nothing, and another quantity in it only the rest.
        let again = try await admin.importCSV(edited)
        #expect(again.updated == 0 && again.unchanged == 11)
        #expect(try await shop.available("cap") == 11)
        try await admin.importCSV(edited.replacing(",13,10,10.00,", with: ",15,10,10.00,"))
        #expect(try await shop.available("cap") == 13)
        try await admin.importCSV(csv)
        #expect(try await shop.available("cap") == 8)
        try await admin.importCSV(edited.replacing(",13,10,10.00,", with: ",15,10,10.00,"))
        // A SKU that the file brings is new once.
        let fresh = csv.replacing(row, with: row.replacing(",10,10,10.00,", with: ",5,10,10.00,"))
            .replacing("cap,Cap,", with: "lid,Lid,").replacing(",cap,", with: ",lid,")
        for _ in 1...2 {
            try await admin.importCSV(fresh)
            #expect(try await shop.available("lid") == 5)
        }
        // The next export counts by itself, also with the same quantities as the last one.
        _ = try await guest.buyNow("cap", 3, total: 3490).good()
        let next = try await admin.export()
        #expect(next.contains(",10,10,10.00,"))
        try await admin.importCSV(next.replacing(",10,10,10.00,", with: ",15,10,10.00,"))
        #expect(try await shop.available("cap") == 15)
        let named = try await admin.importCSV(csv.replacing("cap,Cap,", with: "cap,Flat cap,"))
        #expect(named.updated == 1 && named.unchanged == 10)
        #expect(try await admin.product("cap").name == "Flat cap")
        #expect(try await shop.available("cap") == 15)
    }

    @Test func `No cell of an export begins like a formula`() async throws {
        try await fill()
        let csv = try await admin.export()
        // Each formula has its apostrophe, in quotes or not.
        let cells = csv.dropFirst().split(whereSeparator: { $0 == "," || $0 == "\r\n" })
        #expect(cells.filter { "=+-@\t".contains($0.first ?? " ") || $0.hasPrefix("\"=") }.isEmpty)
        #expect(csv.contains("'=sku-0") && csv.contains("'+S"))
    }

    @Test func `An export ends with its session, as a page of another list does`() async throws {
        let session = try #require(admin.session)
        var reader = Principal(sessionId: session.id, kind: .admin, ownerId: try admin.accountId)
        reader.requirements = Principal.Requirements(permission: .readCatalog)
        let (principal, export) = (reader, ProductExport(shop.environment))
        let first = try await export.batch(after: nil, for: principal)
        #expect(!first.rows.isEmpty)
        try await admin.signOut()
        await #expect(throws: DomainError.unauthenticated) {
            _ = try await export.batch(after: first.last, for: principal)
        }
    }

    @Test func `An export into another shop makes the same products`() async throws {
        try await fill()
        let csv = try await admin.export()
        try await TestShop.open([]) { other in
            let owner = try await other.admin()
            let report = try await owner.importCSV(csv)
            #expect(report.created == 11 && report.failed == 0, "\(report)")
            for product in try await admin.pages(Contract.managedProducts, limit: 200).joined() {
                let copy = try await owner.product(product.handle)
                #expect(copy.name == product.name && copy.details.description == product.details.description)
                #expect(copy.details.options == product.details.options && copy.details.tags == product.details.tags)
                #expect(copy.variants == product.variants)
                #expect((copy.status == .published) == (product.status == .published))
            }
        }
    }

    @Test func `A draft or archived row takes its product off sale, and an active one brings it back`() async throws {
        func row(_ status: String, _ published: String = "TRUE") -> String {
            "Handle,Title,Status,Published,Variant SKU,Variant Price\ncap,Cap,\(status),\(published),cap,10.00\n"
        }
        let steps: [(String, String, ProductStatus)] = [
            ("draft", "TRUE", .withdrawn), ("active", "TRUE", .published), ("active", "FALSE", .withdrawn),
            ("draft", "TRUE", .withdrawn), ("archived", "TRUE", .archived), ("active", "TRUE", .published),
            ("", "FALSE", .withdrawn), ("", "", .withdrawn),
        ]
        for (status, published, expected) in steps {
            let report = try await admin.importCSV(row(status, published))
            #expect(report.failed == 0 && report.status == .published)
            #expect(try await admin.product("cap").status == expected, "\(status), \(published)")
        }
        try await shop.guest().add("cap").problem(.notForSale)
        let new = "Handle,Title,Status,Variant Price\nnew,New,draft,1.00\nold,Old,archived,1.00\n"
        _ = try await admin.importCSV(new)
        let (draft, old) = (try await admin.product("new"), try await admin.product("old"))
        #expect(draft.status == .draft && old.status == .archived)
    }

    @Test func `An edit by hand while an import runs is neither lost nor undone`() async throws {
        try await shop.stock((0..<60).map { .stocked("item-\($0)") })
        let rows = (0..<60).map { "item-\($0),Item \($0),item-\($0),12.00\n" }.joined()
        async let importing = admin.importCSV("Handle,Title,Variant SKU,Variant Price\n" + rows)
        var expected: [Int: String] = [:]
        for number in stride(from: 0, to: 60, by: 7) {
            let text = "By hand \(number)"
            _ = try await patiently {
                try await admin.change(product: "item-\(number)") { $0.careInstructions = .set(text) }
            }.good()
            expected[number] = text
        }
        let report = try await importing
        #expect(report.updated == 60 && report.failed == 0)
        for number in 0..<60 {
            let product = try await admin.product("item-\(number)")
            #expect(product.details.careInstructions == expected[number] && product.name == "Item \(number)")
            #expect(product.variants.map(\.price.amount) == [1200] && product.version >= 2)
        }
    }

    @Test func `Errors name their file, and the end of an import is an event`() async throws {
        let path = "/v1/admin/imports?format=shopify-csv&name=my%20stock.csv"
        let empty = try await admin.send("POST", path, "", headers: ["Content-Type": "text/csv"])
        #expect(try empty.problem(.invalidFeed).problem.detail == "my stock.csv is empty.")
        let named = try await admin.send(
            "POST", "/v1/admin/imports?format=shopify-csv&name=../../etc/passwd", "",
            headers: ["Content-Type": "text/csv"])
        #expect(try named.problem(.invalidFeed).problem.detail == "....etcpasswd is empty.")
        let report = try await admin.importCSV("Handle,Title,Variant Price\na,A,1\nb,B,cheap\n")
        try await eventually { try await shop.events(of: report.id).map(\.type) == [.importEnded] }
        let record = try #require(try await shop.events(of: report.id).first)
        let told = try #require(try record.shopEvent.data.catalogImport)
        #expect(told.created == 1 && told.failed == 1 && told.status == .published && told.errors == [])
    }
}

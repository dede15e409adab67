import Foundation
import PouchContract
import PouchEntities
import PouchImport
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain

/// Which product and which variant a row is, and what none may become.
@Suite("Identities of imported rows", .timeLimit(.minutes(5)), .inShop([]))
struct ImportIdentityTests {
    private let shop = TestShop.current
    private let admin: Caller

    init() async throws { admin = try await shop.admin() }

    /// Imports rows of handle, title, option, its value, SKU, price and stock.
    @discardableResult
    private func load(_ rows: String) async throws -> CatalogImport {
        let header = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty\n"
        return try await admin.importCSV(header + rows)
    }

    /// The name and the SKUs of each product.
    private func names() async throws -> [String: [String]] {
        let products = try await admin.pages(Contract.managedProducts, limit: 200).joined()
        return Dictionary(uniqueKeysWithValues: products.map { ($0.handle, [$0.name] + $0.variants.map(\.sku)) })
    }

    @Test(arguments: [true, false])
    func `Two handles are two products, however alike, in one file and over two`(inOneFile: Bool) async throws {
        let rows = ["café,Café,,,X1,5,1\n", "cafe,Cafe,,,X2,6,1\n"]
        if inOneFile {
            try await load(rows.joined())
        } else {
            for row in rows { try await load(row) }
        }
        let expected = ["cafe": ["Café", "X1"], "cafe-2": ["Cafe", "X2"]]
        #expect(try await names() == expected)
        // Also in another order, and in another form of the accent.
        for file in [rows.joined(), rows[1] + rows[0], rows.joined().decomposedStringWithCanonicalMapping] {
            let again = try await load(file)
            #expect(again.unchanged == 2 && again.failed == 0 && again.notes == [])
        }
        #expect(try await names() == expected)
        let own = try await admin.importCSV(try await admin.export())
        #expect(own.unchanged == 2 && own.created == 0 && own.notes == [])
    }

    @Test func `A product that was renamed in the shop is still that of the file`() async throws {
        try await load("cap,Cap,,,C,5,1\n")
        try await admin.change(product: "cap") { $0.handle = "flat-cap" }.good()
        let again = try await load("cap,Cap,,,C,5,1\n")
        #expect(again.unchanged == 1 && again.created == 0)
        #expect(try await names() == ["flat-cap": ["Cap", "C"]])
    }

    @Test func `Variants that differ in nothing are one variant, and the other rows are reported`() async throws {
        let report = try await load(
            "tee,Tee,Size,S,T1,5,1\ntee,,,S,T2,5,1\ntee,,,M,T3,5,1\none,One,,,O1,5,1\none,,,,O2,5,1\n")
        #expect(report.errors.map(\.line) == [3, 6] && Set(report.errors.map(\.code)) == ["duplicate_variant"])
        #expect(try await names() == ["tee": ["Tee", "T1", "T3"], "one": ["One", "O1"]])
        // Both can be changed by hand.
        for name in ["tee", "one"] { try await admin.change(product: name) { $0.description = .set("Soft") }.good() }
    }

    @Test func `A SKU that is used again is extended, the same in every import and in every shop`() async throws {
        let rows = ["wig,Wig,Colour,Black,W,5,1\n", "wig,,,Brown,W,6,2\n", "bun,Bun,,,W,7,3\n"]
        let expected = ["wig": ["Wig", "W", "W-wig-brown"], "bun": ["Bun", "W-bun"]]
        let first = try await load(rows.joined())
        #expect(first.created == 2 && first.failed == 0)
        #expect(first.notes.map(\.line) == [3, 4] && Set(first.notes.map(\.code)) == ["duplicate_sku"])
        #expect(try await names() == expected)
        for file in [rows, [rows[2], rows[0], rows[1]]] {
            let again = try await load(file.joined())
            #expect(again.unchanged == 2 && again.failed == 0 && again.notes.count == 2)
        }
        // The second row with the SKU alone finds its variant, too.
        try await load("wig,Wig,Colour,Brown,W,6,9\nwig,,,Black,W,5,1\n")
        #expect(try await shop.available("W-wig-brown") == 9)
        #expect(try await names() == expected)
    }

    @Test func `A variant whose SKU changed in the file keeps its own, with a note`() async throws {
        try await load("tee,Tee,Size,S,T1,5,1\n")
        let report = try await load("tee,Tee,Size,S,T9,6,1\n")
        #expect(report.updated == 1 && report.failed == 0 && report.notes.map(\.code) == ["changed"])
        let tee = try await admin.product("tee")
        #expect(tee.variants.map(\.sku) == ["T1"] && tee.variants.map(\.price.amount) == [600])
    }

    @Test func `A file with other options than those of variants that stay is refused, and changes nothing`()
        async throws
    {
        try await load("tee,Tee,Size,S,T1,5,1\ntee,,,M,T2,5,1\n")
        let before = try await admin.product("tee")
        let report = try await load("tee,Tee,Colour,Red,T1,6,1\n")
        #expect(report.errors.map(\.code) == ["conflict"] && report.updated == 0)
        #expect(try await admin.product("tee") == before)
        // All variants may change together.
        let all = try await load("tee,Tee,Colour,Red,T1,6,1\ntee,,,Blue,T2,6,1\n")
        #expect(all.updated == 1 && all.failed == 0)
        let options = try await admin.product("tee").details.options
        #expect(options == [ProductOption(name: "Colour", values: ["Red", "Blue"])])
    }

    @Test func `A file in another order changes nothing, neither do its options`() async throws {
        try await load("nc,Coat,Size,S,N1,5,1\nother,Other,,,O,5,1\nnc,,,M,N2,6,1\nnc,,,L,N3,4,1\n")
        let options = try await admin.product("nc").details.options
        #expect(options == [ProductOption(name: "Size", values: ["S", "M", "L"])])
        let lines = try await admin.export().split(separator: "\r\n")
        let sorted = [lines[0]] + lines.dropFirst().sorted(by: >)
        for file in [sorted, [lines[0]] + lines.dropFirst().reversed()] {
            let again = try await admin.importCSV(file.joined(separator: "\r\n") + "\r\n")
            #expect(again.unchanged == 2 && again.updated == 0 && again.failed == 0)
        }
    }

    @Test func `A product that an earlier release stored can be changed, but its variants not made more alike`()
        async throws
    {
        try await shop.stock([.sized("tee", stock: [("S", 1), ("M", 1), ("L", 1)])])
        _ = try await shop.rows("UPDATE variants SET options = '{\"Size\":\"S\"}' WHERE sku = 'tee-m'")
        try await admin.change(product: "tee") { $0.description = .set("Soft") }.good()
        var terms = try await admin.product("tee").variants.map(VariantTerms.init)
        terms[2].options = ["Size": "S"]
        try await admin.change(product: "tee") { $0.variants = terms }.problem(.validationFailed)
    }

    @Test func `A product of an unknown status is a draft, with notes about all that was changed`() async throws {
        let header = "Handle,Title,Vendor,Status,Variant Price,Variant Inventory Qty\n"
        let report = try await admin.importCSV(header + "a,A,Acme,unlisted,5,-3\n")
        #expect(report.failed == 0 && report.errors == [] && report.created == 1)
        #expect(report.notes.map(\.field) == ["Status", "Variant Inventory Qty", "Vendor"])
        #expect(try await admin.product("a").status == .draft)
        shop.clock.advance(by: 1)
        #expect(try await shop.anyone.call(Contract.products, query: "q=a").good().items == [])
    }
}

import Foundation
import PouchContract
import PouchEntities
import PouchImport
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain

/// Which product and which variant a row is, and what none may become.
@Suite("Identities of imported rows", .timeLimit(.minutes(5)))
struct ImportIdentityTests {
    private static let header =
        "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty\n"

    private func names(_ admin: Caller) async throws -> [String: [String]] {
        let products = try await admin.pages(Contract.managedProducts, limit: 200).joined()
        return Dictionary(uniqueKeysWithValues: products.map { ($0.handle, [$0.name] + $0.variants.map(\.sku)) })
    }

    @Test(arguments: [true, false])
    func `Two handles are two products, however alike, in one file and over two`(inOneFile: Bool) async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let rows = ["café,Café,,,X1,5,1\n", "cafe,Cafe,,,X2,6,1\n"]
            if inOneFile {
                try await admin.importCSV(Self.header + rows.joined())
            } else {
                for row in rows { try await admin.importCSV(Self.header + row) }
            }
            let expected = ["cafe": ["Café", "X1"], "cafe-2": ["Cafe", "X2"]]
            #expect(try await names(admin) == expected)
            // Also in another order, and in another form of the accent.
            for file in [rows.joined(), rows[1] + rows[0], rows.joined().decomposedStringWithCanonicalMapping] {
                let again = try await admin.importCSV(Self.header + file)
                #expect(again.unchanged == 2 && again.failed == 0 && again.notes == [])
            }
            #expect(try await names(admin) == expected)
            let own = try await admin.importCSV(try await admin.export())
            #expect(own.unchanged == 2 && own.created == 0 && own.notes == [])
        }
    }

    @Test func `A product that was renamed in the shop is still that of the file`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            try await admin.importCSV(Self.header + "cap,Cap,,,C,5,1\n")
            try await admin.change(product: "cap") { $0.handle = "flat-cap" }.good()
            let again = try await admin.importCSV(Self.header + "cap,Cap,,,C,5,1\n")
            #expect(again.unchanged == 1 && again.created == 0)
            #expect(try await names(admin) == ["flat-cap": ["Cap", "C"]])
        }
    }

    @Test func `Variants that differ in nothing are one variant, and the other rows are reported`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let report = try await admin.importCSV(
                Self.header + "tee,Tee,Size,S,T1,5,1\ntee,,,S,T2,5,1\ntee,,,M,T3,5,1\none,One,,,O1,5,1\none,,,,O2,5,1\n"
            )
            #expect(report.errors.map(\.line) == [3, 6])
            #expect(Set(report.errors.map(\.code)) == ["duplicate_variant"])
            #expect(try await names(admin) == ["tee": ["Tee", "T1", "T3"], "one": ["One", "O1"]])
            // Both can be changed by hand.
            try await admin.change(product: "tee") { $0.description = .set("Soft") }.good()
            try await admin.change(product: "one") { $0.description = .set("Soft") }.good()
        }
    }

    @Test func `A SKU that is used again is extended, the same in every import and in every shop`() async throws {
        let rows = [
            "wig,Wig,Colour,Black,W,5,1\n", "wig,,,Brown,W,6,2\n", "bun,Bun,,,W,7,3\n",
        ]
        let expected = ["wig": ["Wig", "W", "W-wig-brown"], "bun": ["Bun", "W-bun"]]
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let first = try await admin.importCSV(Self.header + rows.joined())
            #expect(first.created == 2 && first.failed == 0)
            #expect(first.notes.map(\.line) == [3, 4] && Set(first.notes.map(\.code)) == ["duplicate_sku"])
            #expect(try await names(admin) == expected)
            for file in [rows, [rows[2], rows[0], rows[1]]] {
                let again = try await admin.importCSV(Self.header + file.joined())
                #expect(again.unchanged == 2 && again.failed == 0 && again.notes.count == 2)
            }
            // The second row with the SKU alone finds its variant, too.
            try await admin.importCSV(Self.header + "wig,Wig,Colour,Brown,W,6,9\nwig,,,Black,W,5,1\n")
            #expect(try await shop.available("W-wig-brown") == 9)
            #expect(try await names(admin) == expected)
        }
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            try await admin.importCSV(Self.header + rows.joined())
            #expect(try await names(admin) == expected)
        }
    }

    @Test func `A variant whose SKU changed in the file keeps its own, with a note`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            try await admin.importCSV(Self.header + "tee,Tee,Size,S,T1,5,1\n")
            let report = try await admin.importCSV(Self.header + "tee,Tee,Size,S,T9,6,1\n")
            #expect(report.updated == 1 && report.failed == 0 && report.notes.map(\.code) == ["changed"])
            let tee = try await admin.product("tee")
            #expect(tee.variants.map(\.sku) == ["T1"] && tee.variants.map(\.price.amount) == [600])
        }
    }

    @Test func `A file with other options than those of variants that stay is refused, and changes nothing`()
        async throws
    {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            try await admin.importCSV(Self.header + "tee,Tee,Size,S,T1,5,1\ntee,,,M,T2,5,1\n")
            let before = try await admin.product("tee")
            let report = try await admin.importCSV(Self.header + "tee,Tee,Colour,Red,T1,6,1\n")
            #expect(report.errors.map(\.code) == ["conflict"] && report.updated == 0)
            #expect(try await admin.product("tee") == before)
            // All variants may change together.
            let all = try await admin.importCSV(Self.header + "tee,Tee,Colour,Red,T1,6,1\ntee,,,Blue,T2,6,1\n")
            #expect(all.updated == 1 && all.failed == 0)
            #expect(
                try await admin.product("tee").details.options == [
                    ProductOption(name: "Colour", values: ["Red", "Blue"])
                ])
        }
    }

    @Test func `A file in another order changes nothing, neither do its options`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            try await admin.importCSV(
                Self.header + "nc,Coat,Size,S,N1,5,1\nother,Other,,,O,5,1\nnc,,,M,N2,6,1\nnc,,,L,N3,4,1\n")
            #expect(
                try await admin.product("nc").details.options == [
                    ProductOption(name: "Size", values: ["S", "M", "L"])
                ])
            let lines = try await admin.export().split(separator: "\r\n")
            let sorted = [lines[0]] + lines.dropFirst().sorted(by: >)
            for file in [sorted, [lines[0]] + lines.dropFirst().reversed()] {
                let again = try await admin.importCSV(file.joined(separator: "\r\n") + "\r\n")
                #expect(again.unchanged == 2 && again.updated == 0 && again.failed == 0)
            }
        }
    }

    @Test func `A product that an earlier release stored can be changed, but its variants not made more alike`()
        async throws
    {
        try await TestShop.open([.sized("tee", stock: [("S", 1), ("M", 1), ("L", 1)])]) { shop in
            let admin = try await shop.admin()
            _ = try await shop.database {
                try $0.run("UPDATE variants SET options = '{\"Size\":\"S\"}' WHERE sku = 'tee-m'", [])
            }
            try await admin.change(product: "tee") { $0.description = .set("Soft") }.good()
            let tee = try await admin.product("tee")
            var terms = tee.variants.map(VariantTerms.init)
            terms[2].options = ["Size": "S"]
            try await admin.change(product: "tee") { $0.variants = terms }.problem(.validationFailed)
        }
    }

    @Test func `A product of an unknown status is a draft, with notes about all that was changed`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let csv = """
                Handle,Title,Vendor,Status,Variant Price,Variant Inventory Qty
                a,A,Acme,unlisted,5,-3

                """
            let report = try await admin.importCSV(csv)
            #expect(report.failed == 0 && report.errors == [] && report.created == 1)
            #expect(report.notes.map(\.field) == ["Status", "Variant Inventory Qty", "Vendor"])
            #expect(try await admin.product("a").status == .draft)
            shop.clock.advance(by: 1)
            #expect(try await shop.anyone.call(Contract.products, query: "q=a").good().items == [])
        }
    }
}

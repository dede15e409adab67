import Foundation
import PouchClient
import PouchEntities
import Testing

/// `pouch admin product` in scripts, against a running server.
@Suite(.timeLimit(.minutes(2)))
struct ProductTerminalTests {
    @Test("A refused change of a product names what to do, in the words of the shop")
    func refusals() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            let last = try await admin.pouch("admin", "product", "variant", "remove", "wool-scarf", "wool-scarf")
            #expect(last.status == 3 && last.errors.contains("keeps at least one variant"), "\(last.errors)")
            let picture = try admin.folder.file("scarf.png", containing: "no picture").path
            let unlike = try await admin.pouch("admin", "product", "picture", "add", "wool-scarf", picture)
            #expect(unlike.status == 3 && !unlike.errors.contains("Content-Type"), "\(unlike.errors)")
            #expect(try await admin.pouch("admin", "product", "archive", "wool-scarf").status == 0)
            let archived = try await admin.pouch("admin", "product", "publish", "wool-scarf")
            #expect(archived.status == 3 && archived.output.isEmpty)
            #expect(archived.errors.contains("pouch admin product restore wool-scarf"), "\(archived.errors)")
        }
    }

    @Test("A product is shown with everything that was set, and without what was not")
    func show() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            for arguments in [
                ["season", "set", "spring", "Spring"],
                [
                    "product", "add", "Felt Hat", "--sku", "hat", "--price", "29", "--stock", "4", "--category", "hats",
                    "--season", "spring", "--tags", "wool, soft", "--description", "Warm.",
                ],
                ["product", "variant", "edit", "felt-hat", "hat", "--compare-at", "35", "--grams", "120"],
                [
                    "product", "publish", "felt-hat", "--at", "2031-03-15T12:00:00Z", "--until", "2031-09-15T12:00:00Z",
                ],
                ["price", "hat", "25", "--from", "2031-04-15T12:00:00Z", "--until", "2031-05-15T12:00:00Z"],
            ] {
                let outcome = try await admin.pouch(arguments: ["admin"] + arguments)
                #expect(outcome.status == 0, "\(outcome.errors)")
            }
            let shown = try await admin.pouch("admin", "product", "show", "felt-hat")
            for line in [
                "Category: hats\n", "Season: spring\n", "Tags: wool, soft\n", "published from 2031-03-15",
                "withdrawn at 2031-09-15", "\nhat\t\t29.00 EUR\t35.00 EUR\t120\t4\t4\t0\n",
                "\that\t25.00 EUR\t2031-04-15",
            ] {
                #expect(shown.output.contains(line), "\(shown.output)\(shown.errors)")
            }
            for name in ["Theme", "Materials", "Care", "Style code"] { #expect(!shown.output.contains(name)) }

            let plain = try await admin.pouch("admin", "product", "show", "wool-scarf")
            #expect(plain.output.contains("\nwool-scarf\t\t42.99 EUR\t\t"), "\(plain.output)\(plain.errors)")
            #expect(!plain.output.contains("Season") && !plain.output.contains("Scheduled"))
            let json = try await admin.pouch("admin", "product", "show", "felt-hat", "--json")
            #expect(try json.json(ManagedProduct.self).details.seasonId == "spring")
        }
    }
}

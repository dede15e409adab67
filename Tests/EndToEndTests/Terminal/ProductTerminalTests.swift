import Foundation
import PouchClient
import PouchEntities
import Testing

/// `pouch admin product` in scripts, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct ProductTerminalTests {
    @Test func `A refused change of a product names what to do, in the words of the shop`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            let last = try await admin.pouch("admin", "product", "variant", "remove", "wool-scarf", "wool-scarf")
            #expect(last.status == 3 && last.errors.contains("needs at least one variant"), "\(last.errors)")
            let picture = try admin.folder.file("scarf.png", containing: "no picture").path
            let unlike = try await admin.pouch("admin", "product", "picture", "add", "wool-scarf", picture)
            #expect(unlike.status == 3 && !unlike.errors.contains("Content-Type"), "\(unlike.errors)")
            #expect(try await admin.pouch("admin", "product", "archive", "wool-scarf").status == 0)
            let archived = try await admin.pouch("admin", "product", "publish", "wool-scarf")
            #expect(archived.status == 3 && archived.output.isEmpty)
            #expect(archived.errors.contains("pouch admin product restore wool-scarf"), "\(archived.errors)")
        }
    }

    @Test func `A product is shown with everything that was set, and without what was not`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            for arguments in [
                ["season", "set", "spring", "Spring"],
                [
                    "product", "add", "Felt Hat", "--sku", "hat", "--price", "29", "--stock", "4", "--category", "hats",
                    "--season", "spring", "--tags", "wool, soft", "--description", "Warm.",
                ],
                ["product", "variant", "edit", "felt-hat", "hat", "--compare-at", "35", "--grams", "120"],
                ["product", "publish", "felt-hat", "--at", "2031-03-15T12:00:00Z", "--until", "2031-09-15T12:00:00Z"],
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
            ] { #expect(shown.output.contains(line), "\(shown.output)\(shown.errors)") }
            for name in ["Theme", "Materials", "Care", "Style code"] { #expect(!shown.output.contains(name)) }
            let plain = try await admin.pouch("admin", "product", "show", "wool-scarf")
            #expect(plain.output.contains("\nwool-scarf\t\t42.99 EUR\t\t"), "\(plain.output)\(plain.errors)")
            #expect(!plain.output.contains("Season") && !plain.output.contains("Scheduled"))
            let json = try await admin.pouch("admin", "product", "show", "felt-hat", "--json")
            #expect(try json.json(ManagedProduct.self).details.seasonId == "spring")
        }
    }

    @Test func `A second product of the same name says so on standard error, and one of another name does not`()
        async throws
    {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            let second = try await admin.pouch("admin", "product", "add", "Wool Scarf", "--json")
            #expect(try second.json(ManagedProduct.self).handle == "wool-scarf-2")
            #expect(second.errors.contains("Another product has the handle wool-scarf, so this one is wool-scarf-2."))
            #expect(second.errors.contains("pouch admin product archive wool-scarf-2"))
            for arguments in [["Wool Scarf 7"], ["Wool Scarf", "--handle", "wool-scarf-9"]] {
                let other = try await admin.pouch(arguments: ["admin", "product", "add"] + arguments)
                #expect(other.status == 0 && other.errors.isEmpty, "\(other.errors)")
            }
        }
    }

    @Test func `Themes are made in a season, listed, changed, given to products, and removed once no product has them`()
        async throws
    {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            func pouch(_ arguments: String...) async throws -> Program.Outcome {
                try await admin.pouch(arguments: ["admin"] + arguments)
            }
            #expect(try await pouch("theme").output == "There is no theme.\n")
            let homeless = try await pouch("theme", "set", "coast", "Coast", "--season", "spring")
            #expect(homeless.status == 3 && homeless.output.isEmpty, "\(homeless.errors)")
            #expect(try await pouch("theme", "set", "coast", "Coast").status == 64)
            for season in ["spring", "autumn"] { #expect(try await pouch("season", "set", season, season).status == 0) }
            let made = try await pouch("theme", "set", "coast", "Coast", "--season", "spring", "--json")
            #expect(try made.json(Theme.self) == Theme(id: "coast", name: "Coast", seasonId: "spring"))
            let changed = try await pouch("theme", "set", "coast", "The Coast", "--season", "autumn")
            #expect(changed.output == "coast\tThe Coast\tautumn\n", "\(changed.errors)")
            #expect(try await pouch("theme", "list").output == changed.output)
            let given = try await pouch("product", "edit", "wool-scarf", "--theme", "coast", "--season", "autumn")
            #expect(given.status == 0, "\(given.errors)")
            #expect(try await pouch("product", "show", "wool-scarf").output.contains("Theme: coast\n"))
            #expect(try await pouch("theme", "remove", "coast").status == 3)
            let freed = try await pouch("product", "edit", "wool-scarf", "--theme", "", "--season", "")
            #expect(freed.status == 0, "\(freed.errors)")
            #expect(try await pouch("season", "remove", "autumn").status == 3)
            #expect(try await pouch("theme", "remove", "coast").output == "Removed.\n")
            #expect(try await pouch("season", "remove", "autumn").output == "Removed.\n")
            let again = try await pouch("theme", "remove", "coast")
            #expect(again.status == 2 && again.errors.contains("pouch admin theme"))
        }
    }
}

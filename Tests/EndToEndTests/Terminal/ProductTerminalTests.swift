import Foundation
import PouchClient
import PouchEntities
import Testing

/// `pouch admin product` in scripts, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct ProductTerminalTests {
    @Test func `A refused change of a product names what to do, in the words of the shop`() async throws {
        try await withOwner { admin, _ in
            try await admin.fails(
                "admin product variant remove wool-scarf wool-scarf", 3, saying: "needs at least one variant")
            let picture = try admin.folder.file("scarf.png", containing: "no picture").path
            let unlike = try await admin.fails("admin product picture add wool-scarf \(picture)", 3)
            #expect(!unlike.errors.contains("Content-Type"), "\(unlike.errors)")
            try await admin.succeeds("admin product archive wool-scarf")
            try await admin.fails(
                "admin product publish wool-scarf", 3, saying: "pouch admin product restore wool-scarf")
        }
    }

    @Test func `A product is shown with everything that was set, and without what was not`() async throws {
        try await withOwner { admin, _ in
            for command in [
                "season set spring Spring",
                "product add 'Felt Hat' --sku hat --price 29 --stock 4 --category hats --season spring "
                    + "--tags 'wool, soft' --description Warm.",
                "product variant edit felt-hat hat --compare-at 35 --grams 120",
                "product publish felt-hat --at 2031-03-15T12:00:00Z --until 2031-09-15T12:00:00Z",
                "price hat 25 --from 2031-04-15T12:00:00Z --until 2031-05-15T12:00:00Z",
            ] { try await admin.succeeds("admin \(command)") }
            let shown = try await admin.succeeds(
                "admin product show felt-hat", printing: "Category: hats\n", "Season: spring\n", "Tags: wool, soft\n",
                "published from 2031-03-15", "withdrawn at 2031-09-15", "\nhat\t\t29.00 EUR\t35.00 EUR\t120\t4\t4\t0\n",
                "\that\t25.00 EUR\t2031-04-15")
            for name in ["Theme", "Materials", "Care", "Style code"] { #expect(!shown.output.contains(name)) }
            let plain = try await admin.succeeds(
                "admin product show wool-scarf", printing: "\nwool-scarf\t\t42.99 EUR\t\t")
            #expect(!plain.output.contains("Season") && !plain.output.contains("Scheduled"))
            let json = try await admin.json("admin product show felt-hat", as: ManagedProduct.self)
            #expect(json.details.seasonId == "spring")
        }
    }

    @Test
    func `A second product of the same name says so on standard error, and one of another name does not`()
        async throws
    {
        try await withOwner { admin, _ in
            let second = try await admin.pouch("admin product add 'Wool Scarf' --json")
            #expect(try second.json(ManagedProduct.self).handle == "wool-scarf-2")
            #expect(second.errors.contains("Another product has the handle wool-scarf, so this one is wool-scarf-2."))
            #expect(second.errors.contains("pouch admin product archive wool-scarf-2"))
            for product in ["'Wool Scarf 7'", "'Wool Scarf' --handle wool-scarf-9"] {
                #expect(try await admin.succeeds("admin product add \(product)").errors.isEmpty)
            }
        }
    }

    @Test
    func `Themes are made in a season, listed, changed, given to products, and removed once no product has them`()
        async throws
    {
        try await withOwner { admin, _ in
            #expect(try await admin.pouch("admin theme").output == "There is no theme.\n")
            try await admin.fails("admin theme set coast Coast --season spring", 3)
            try await admin.fails("admin theme set coast Coast", 64)
            for season in ["spring", "autumn"] { try await admin.succeeds("admin season set \(season) \(season)") }

            let made = try await admin.json("admin theme set coast Coast --season spring", as: Theme.self)
            #expect(made == Theme(id: "coast", name: "Coast", seasonId: "spring"))
            let changed = try await admin.succeeds("admin theme set coast 'The Coast' --season autumn")
            #expect(changed.output == "coast\tThe Coast\tautumn\n")
            #expect(try await admin.pouch("admin theme list").output == changed.output)

            try await admin.succeeds("admin product edit wool-scarf --theme coast --season autumn")
            try await admin.succeeds("admin product show wool-scarf", printing: "Theme: coast\n")
            try await admin.fails("admin theme remove coast", 3)
            try await admin.succeeds("admin product edit wool-scarf --theme '' --season ''")
            try await admin.fails("admin season remove autumn", 3)
            for name in ["theme remove coast", "season remove autumn"] {
                #expect(try await admin.pouch("admin \(name)").output == "Removed.\n")
            }
            try await admin.fails("admin theme remove coast", 2, saying: "pouch admin theme")
        }
    }
}

import ClientTesting
import Foundation
import PouchClient
import PouchEntities
import Testing

@Suite("The order desk by commands", .timeLimit(.minutes(10)))
struct ManagedOrderTerminalTests {
    @Test func `The link of a mail is sent to its own server, and to no other`() async throws {
        try await withRunningShop { shop in
            let folder = try TemporaryFolder()
            let (own, other) = (shop.url.absoluteString, "http://127.0.0.1:9")
            let link = own + "/orders#forged"
            func order(
                _ link: String, _ environment: [String: String], _ options: String...
            ) async throws -> Program.Outcome {
                let state = ["XDG_STATE_HOME": folder.url.path]
                return try await Program.run(
                    "pouch", ["order", "--link", link] + options,
                    environment: state.merging(environment) { $1 }, input: "")
            }
            // The shop's own server says that the link is no good.
            for environment in [[:], ["POUCH_SERVER": own + "/"]] {
                #expect(try await order(link, environment).status == 3)
            }
            let alone = try await order("forged", ["POUCH_SERVER": own])
            #expect(alone.status == 3, "\(alone.errors)")
            for outcome in [
                try await order(link, ["POUCH_SERVER": other]), try await order(link, [:], "--server", other),
            ] {
                #expect(outcome.status == 64 && outcome.output.isEmpty)
                #expect(outcome.errors.contains("is of \(own), not of \(other)"), "\(outcome.errors)")
            }
            #expect(try await order("https://shop.example/elsewhere#forged", [:]).status == 64)
        }
    }

    @Test
    func `An order is found, shown, sent with a tracking number, annotated and exported by its number`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            let ann = try Shopper(at: shop.url)
            let bought = try await ann.pouch(
                arguments: ["buy", "wool-scarf", "--card", "tok_ok", "--email", "a@example.com", "--json"]
                    + TerminalTests.address)
            let order = try bought.json(Order.self)

            let found = try await admin.pouch("admin", "orders", "--search", "A@example.com", "--sku", "wool-scarf")
            #expect(found.output.hasPrefix(order.number + "\t"))
            let shown = try await admin.pouch("admin", "order", order.number)
            #expect(shown.output.contains("Left to refund") && shown.output.contains("wool-scarf"))
            let slip = try await admin.pouch("admin", "order", "slip", order.number)
            #expect(slip.output.hasPrefix("PACKING SLIP") && slip.output.contains("SKU wool-scarf"))
            let noted = try await admin.pouch("admin", "order", "note", order.number, "Call first")
            #expect(noted.status == 0 && noted.output.contains("Call first"))
            let sent = try await admin.pouch("admin", "fulfil", order.number, "--carrier", "DHL", "--tracking", "0034")
            #expect(sent.status == 0 && sent.output.contains("DHL 0034"), "\(sent.errors)")
            #expect(try await ann.pouch("order", order.number).output.contains("DHL 0034"))
            let late = try await admin.pouch("admin", "order", "cancel", order.number)
            #expect(late.status == 3 && late.errors.contains("has already been sent"))
            let json = try await admin.pouch("admin", "order", "cancel", order.number, "--json")
            #expect(json.errors.hasPrefix("{\"error\":{\"advice\":") && json.output.isEmpty)

            for command in [
                ["order", "slip", order.number], ["order", "export"], ["stock", "export"], ["customer", "export"],
                ["export"],
            ] {
                let refused = try await admin.pouch(arguments: ["admin"] + command + ["--json"])
                #expect(refused.status == 64 && refused.output.isEmpty)
                #expect(refused.errors.contains("Leave out --json."), "\(refused.errors)")
            }
            let export = try await admin.pouch("admin", "order", "export", "--search", order.number)
            #expect(export.status == 0 && export.output.split(separator: "\r\n").count == 2)
            let stock = try await admin.pouch("admin", "stock", "list", "--threshold", "100000")
            #expect(stock.output.contains("wool-scarf"))
            let sales = try await admin.pouch("admin", "sales", "--json")
            #expect(try sales.json(SalesReport.self).total.orders == 1)
            #expect(try await admin.pouch("admin", "customer", "list", "--all").status == 0)
            #expect(try await admin.pouch("admin", "customer", "show", "nobody@example.com").status == 2)
        }
    }

    @Test func `The error for a misspelt command names the one that may be meant`() async throws {
        let shopper = try Shopper(at: try #require(URL(string: "http://127.0.0.1:9")))
        for (typed, meant) in [(["ordesr"], "pouch orders"), (["admin", "oders"], "pouch admin orders")] {
            let outcome = try await shopper.pouch(arguments: typed)
            #expect(outcome.status == 64 && outcome.errors.contains("Did you mean `\(meant)`?"), "\(outcome.errors)")
        }
        let other = try await shopper.pouch("zzzzz")
        #expect(other.status == 64 && !other.errors.contains("Did you mean"))
    }
}

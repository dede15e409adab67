import Foundation
import PseudoTerminal
import Testing

/// `pouch shop` as people use it: at a terminal, against a running server.
@Suite(.timeLimit(.minutes(3)))
struct ShopTerminalTests {
    @Test("The main job: search, choose, fill the cart, deliver, sign up on the way, pay, see how it stands, and leave")
    func journey() async throws {
        try await withRunningShop(selling: .demo) { shop in
            let ann = try ShopVisitor(at: shop.url)
            try await ann.see("‹ 1 of 5 ›", "Cardigans")
            ann.press(.down)
            ann.type("sledge")
            ann.press(.enter)
            try await ann.see("Search            sledge", "› Sledge Socks", "22.90 EUR")
            ann.press(.enter)
            try await ann.see("› Colour             Blue   Off-White")
            ann.press(.right, .right, .down, .right, .right)
            try await ann.see("[Off-White]", "[M]")
            ann.type("+")
            try await ann.see("Added; the cart holds 1.", "guest · Cart 1")

            ann.type("c")
            try await ann.see("› 1 × Sledge Socks, Off-White / M")
            ann.type("+")
            try await ann.see("› 2 × Sledge Socks, Off-White / M", "45.80 EUR", "Cart 2")
            ann.type("p")
            try await ann.see("› Name")
            ann.fill(["Ann Example", "1 High Street", "", "2000", "Sydney", "", "au", ""])
            try await ann.see("› [ Show the ways of delivery ]")
            ann.press(.enter)
            try await ann.see("› Delivery          [Standard, 4.90 EUR]")
            ann.press(.down, .enter)
            try await ann.see("[ Pay 50.70 EUR ]", "Delivery standard, to Ann Example, 1 High Street, 2000 Sydney, AU")

            ann.press(.down, .down, .down)
            try await ann.see("› Sign in instead")
            ann.press(.enter)
            try await ann.see("I have no account yet")
            ann.press(.down, .down, .down, .enter)
            try await ann.see("Password again")
            ann.fill(["Ann Example", "ann@example.com", "", "correct horse", "correct horse"])
            ann.press(.enter)
            try await ann.see("[ Pay 50.70 EUR ]", "Ann Example · Cart 2", "› Card token")
            ann.type("tok_declined")
            ann.press(.enter)
            try await ann.see("The payment was declined", "Enter understood")
            ann.press(.enter, .clear)
            ann.type("tok_ok")
            ann.press(.enter)
            try await ann.see("The order is placed and paid. Thank you!", "P-10002  paid", "50.70 EUR")
            ann.press(.enter)
            try await ann.see("● paid", "○ on its way")
            ann.type("o")
            try await ann.see("› P-10002", "50.70 EUR")

            ann.type("q")
            try await ann.see("Leave the shop?")
            ann.press(.enter)
            #expect(await ann.program.exit == 0)
            try await ann.terminal.wait("the shell's screen") { !$0.isAlternate && $0.isCursorVisible }
            #expect(ann.terminal.screen.lines.joined() == "")
            #expect(ann.terminal.screen.unknown.isEmpty)

            // The session is that of the other commands, and was kept.
            let again = try ShopVisitor(at: shop.url, in: ann.folder)
            try await again.see("Ann Example · Cart 0")
            again.press(.interrupt)
            #expect(await again.program.exit == 0)
        }
    }

    @Test("Promotions slide by themselves, and one is bought at once from within its cell")
    func buyNow() async throws {
        try await withRunningShop(selling: .demo) { shop in
            let ann = try ShopVisitor(at: shop.url)
            try await ann.see("‹ 1 of 5 ›")
            try await ann.see("‹ 2 of 5 ›")
            ann.press(.left)
            try await ann.see("‹ 1 of 5 ›", "Spruce Jumper")
            ann.type("b")
            try await ann.see("Spruce Jumper", "[ Buy now ]", "› Colour")
            ann.press(.right, .down, .right, .down, .down, .down)
            try await ann.see("› [ Buy now ]")
            ann.press(.enter)
            try await ann.see("Delivery", "› Name")
            ann.press(.escape)
            try await ann.see("› [ Buy now ]")
            ann.press(.escape)
            try await ann.see("of 5 ›")
            #expect(ann.terminal.settings.isRaw)
            ann.program.send(SIGTERM)
            #expect(await ann.program.exit == 128 + SIGTERM)
            try await ann.terminal.wait("the shell's screen") { !$0.isAlternate && $0.isCursorVisible }
            #expect(!ann.terminal.settings.isRaw)
        }
    }

    @Test("Filters narrow the catalogue, and every screen follows the window's size")
    func filtersAndSizes() async throws {
        try await withRunningShop(selling: .demo) { shop in
            let ann = try ShopVisitor(at: shop.url)
            try await ann.see("› ┌─", "All products")
            ann.press(.down, .down, .enter)
            try await ann.see("Sorted by newest. No filters.", "in stock")
            ann.type("f")
            try await ann.see("› Sort by")
            ann.press(.right, .down, .right, .down, .down, .down, .right)
            ann.type("f")
            try await ann.see("Sorted by price, low to high. Filters: Category:", "in stock only.", "x clear filters")
            ann.type("x")
            try await ann.see("No filters.")
            ann.terminal.resize(columns: 48, rows: 14)
            try await ann.terminal.wait("the small screen") { $0.lines[0].hasSuffix("Cart –") && $0.lines[13] != "" }
            ann.terminal.resize(columns: 47, rows: 14)
            try await ann.see("This window is too small: make it 48 by 14.")
            ann.terminal.resize(columns: 120, rows: 40)
            try await ann.see("Sorted by price, low to high. No filters.")
            ann.program.send(SIGSEGV)
            #expect(await ann.program.exit == 128 + SIGSEGV)
            try await ann.terminal.wait("the shell's screen") { !$0.isAlternate && $0.isCursorVisible }
            #expect(!ann.terminal.settings.isRaw)
        }
    }

    @Test("Rows that cannot be read are told after the visit, not across the screen")
    func badRows() async throws {
        try await withWebServer(answering: #"{"items": [{"id": 1}]}"#) { server in
            let ann = try ShopVisitor(at: server)
            try await ann.see("Search the shop", "All products")
            #expect(!ann.terminal.screen.text.contains("warning"))
            ann.press(.interrupt)
            #expect(await ann.program.exit == 0)
            try await ann.terminal.wait("the warnings") { !$0.isAlternate && $0.text.contains("was left out") }
            let warnings = ann.terminal.screen.lines.filter { $0.hasPrefix("warning:") }
            #expect(Set(warnings).count == warnings.count)
        }
    }

    @Test("What was seen is there without the server too, and is shown as what it is")
    func offline() async throws {
        let (address, ann) = try await withRunningShop(selling: .demo) { shop in
            let ann = try ShopVisitor(at: shop.url)
            try await ann.see("‹ 1 of 5 ›", "Cardigans")
            ann.press(.interrupt)
            #expect(await ann.program.exit == 0)
            return (shop.url, ann)
        }
        let later = try ShopVisitor(at: address, in: ann.folder)
        try await later.see("› ┌─ New in the shop", "of 5 ›")
        later.press(.enter)
        try await later.see("OFFLINE", "[ Add to cart ]")
        // The visit before may have ended before the whole catalogue was here: then it is not known from when this is.
        let text = later.terminal.screen.text
        #expect(text.contains("Not current: as of ") || text.contains("The server cannot be reached."))
        later.press(.interrupt)
        #expect(await later.program.exit == 0)
    }

    @Test("A feed on a web server is looked through like a shop, also without the server; what it lacks it says")
    func feed() async throws {
        let (feed, ann) = try await withWebServer(of: TestFeed.demoFolder) { feed in
            let ann = try ShopVisitor(at: feed, ["--feed", feed.absoluteString])
            try await ann.see("‹ 1 of 5 ›", "Cardigans")
            ann.press(.down)
            ann.type("sledge")
            ann.press(.enter)
            try await ann.see("› Sledge Socks", "22.90 EUR")
            ann.press(.enter)
            try await ann.see("› Colour")
            ann.press(.right, .down, .right)
            ann.type("+")
            try await ann.see("This shop only shows its catalogue here.", "Enter understood")
            ann.press(.enter)
            ann.type("c")
            try await ann.see(" Pouch  Cart", "This shop only shows its catalogue here.")
            ann.press(.interrupt)
            #expect(await ann.program.exit == 0)
            return (feed, ann)
        }
        let later = try ShopVisitor(at: feed, ["--feed", feed.absoluteString], in: ann.folder)
        try await later.see("of 5 ›", "Cardigans")
        later.press(.down)
        later.type("sledge")
        later.press(.enter)
        try await later.see("› Sledge Socks", "22.90 EUR")
        later.press(.interrupt)
        #expect(await later.program.exit == 0)
    }

    @Test("What was kept and cannot be read is set aside, and said; the shop goes on without it")
    func damagedStore() async throws {
        try await withRunningShop(selling: .demo) { shop in
            let folder = try TemporaryFolder()
            let database = folder.file("pouch/http_127.0.0.1_\(try #require(shop.url.port)).sqlite")
            try FileManager.default.createDirectory(
                at: database.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("this is no database".utf8).write(to: database)
            let ann = try ShopVisitor(at: shop.url, in: folder)
            try await ann.see("What was kept on this device could not be read; it is now", "Enter understood")
            ann.press(.enter)
            try await ann.see("of 5 ›", "Cardigans", "q leave")
            ann.press(.interrupt)
            #expect(await ann.program.exit == 0)
            let kept = try FileManager.default.contentsOfDirectory(
                atPath: database.deletingLastPathComponent().path)
            let aside = try #require(kept.first { $0.contains(".sqlite.set-aside-") })
            #expect(
                try String(contentsOf: folder.file("pouch/\(aside)"), encoding: .utf8) == "this is no database")
        }
    }

    @Test("Where nothing can be kept, that is said, and the shop goes on without")
    func noStore() async throws {
        try await withRunningShop(selling: .demo) { shop in
            let folder = try TemporaryFolder()
            try FileManager.default.createDirectory(
                at: folder.file("pouch/http_127.0.0.1_\(try #require(shop.url.port)).sqlite"),
                withIntermediateDirectories: true)
            let ann = try ShopVisitor(at: shop.url, in: folder)
            try await ann.see("Nothing is kept on this device this time: there is no room, or no")
            ann.press(.enter)
            try await ann.see("of 5 ›", "Cardigans", "q leave")
            ann.press(.interrupt)
            #expect(await ann.program.exit == 0)
        }
    }

    @Test("A shop that cannot be reached says so, and is tried again")
    func unreachable() async throws {
        let nobody = try #require(URL(string: "http://127.0.0.1:9"))
        let ann = try ShopVisitor(at: nobody)
        try await ann.see("The server cannot be reached.", "› [ Try again ]")
        ann.press(.enter)
        try await ann.see("The server cannot be reached.", "q leave")
        ann.press(.interrupt)
        #expect(await ann.program.exit == 0)
    }

    @Test("Without a terminal it is refused, with what to do instead; so is JSON")
    func refusals() async throws {
        let outcome = try await Program.run("pouch", ["shop"], environment: ["TERM": "xterm"], input: "")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("needs a terminal"))
        #expect(outcome.errors.contains("pouch --help"))
        let json = try await Program.run("pouch", ["shop", "--json"], environment: ["TERM": "xterm"], input: "")
        #expect(json.status == 64)
        #expect(json.errors.contains("leave out --json"))
    }
}

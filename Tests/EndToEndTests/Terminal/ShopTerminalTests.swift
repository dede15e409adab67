import ClientTesting
import Foundation
import PseudoTerminal
import Testing

/// `pouch shop` at a terminal, against a running server.
@Suite(.timeLimit(.minutes(10)))
struct ShopTerminalTests {
    @Test func `The main job: search, choose, fill the cart, sign up, pay, see the status, and leave`() async throws {
        try await withRunningShop(selling: .demo) { shop in
            let ann = try ShopVisitor(at: shop.url)
            try await ann.see("‹ 1 of 5 ›", "Cardigans")
            try await ann.type(
                .down, "sledge", .enter, seeing: "Search            sledge", "› Sledge Socks", "22.90 EUR")
            try await ann.type(.enter, seeing: "› Colour             Blue   Off-White")
            try await ann.type(.right, .right, .down, .right, .right, seeing: "[Off-White]", "[M]")
            try await ann.type("+", seeing: "The cart now contains 1 item.", "guest · Cart 1")

            try await ann.type("c", seeing: "› 1 × Sledge Socks, Off-White / M")
            try await ann.type("+", seeing: "› 2 × Sledge Socks, Off-White / M", "45.80 EUR", "Cart 2")
            try await ann.type("p", seeing: "› Name")
            ann.fill("Ann Example", "1 High Street", "", "2000", "Sydney", "", "au", "")
            try await ann.see("› [ Show delivery options ]")
            try await ann.type(.enter, seeing: "› Delivery          [Standard, 4.90 EUR]")
            try await ann.type(
                .down, .enter, seeing: "[ Pay 50.70 EUR ]",
                "Delivery standard, to Ann Example, 1 High Street, 2000 Sydney, AU")

            try await ann.type(.down, .down, .down, seeing: "› Sign in instead")
            try await ann.type(.enter, seeing: "Create an account")
            try await ann.type(.down, .down, .down, .enter, seeing: "Password again")
            ann.fill("Ann Example", "ann@example.com", "", "correct horse", "correct horse")
            try await ann.type(.enter, seeing: "[ Pay 50.70 EUR ]", "Ann Example · Cart 2", "› Card token")
            try await ann.type("tok_declined", .enter, seeing: "The payment was declined", "Enter OK")
            try await ann.type(
                .enter, .clear, "tok_ok", .enter, seeing: "The order is placed and paid. Thank you!", "P-10002  paid",
                "50.70 EUR")
            try await ann.type(.enter, seeing: "● paid", "○ on its way")
            try await ann.type("o", seeing: "› P-10002", "50.70 EUR")

            try await ann.type("q", seeing: "Leave the shop?")
            ann.type(.enter)
            #expect(await ann.program.exit == 0)
            try await ann.seeShell()
            #expect(ann.terminal.screen.lines.joined() == "" && ann.terminal.screen.unknown.isEmpty)

            // The session was stored.
            let again = try ShopVisitor(at: shop.url, in: ann.folder)
            try await again.see("Ann Example · Cart 0")
            await again.interrupt()
        }
    }

    @Test func `Warnings about unreadable rows are printed after the visit, not over the screen`() async throws {
        try await withWebServer(answering: #"{"items": [{"id": 1}]}"#) { server in
            let ann = try ShopVisitor(at: server)
            try await ann.see("Search the shop", "All products")
            #expect(!ann.terminal.screen.text.contains("warning"))
            await ann.interrupt()
            try await ann.terminal.wait("the warnings") { !$0.isAlternate && $0.text.contains("was skipped") }
            let warnings = ann.terminal.screen.lines.filter { $0.hasPrefix("warning:") }
            #expect(Set(warnings).count == warnings.count)
        }
    }

    @Test func `Content that was loaded before is available offline, and marked as old`() async throws {
        let (address, ann) = try await withRunningShop(selling: .demo) { shop in
            let ann = try ShopVisitor(at: shop.url)
            try await ann.see("‹ 1 of 5 ›", "Cardigans")
            await ann.interrupt()
            return (shop.url, ann)
        }
        let later = try ShopVisitor(at: address, in: ann.folder)
        try await later.see("› ┌─ New in the shop", "of 5 ›")
        try await later.type(.enter, seeing: "OFFLINE", "[ Add to cart ]")
        // If the earlier visit ended before it had loaded the whole catalogue, the age of the data is unknown.
        let text = later.terminal.screen.text
        #expect(text.contains("Not up to date: as of ") || text.contains("The server cannot be reached."))
        await later.interrupt()
    }

    @Test func `A visit starts where the last ended, or on a link's page; unreadable pages are ignored`() async throws {
        try await withRunningShop(selling: .demo) { shop in
            let ann = try ShopVisitor(at: shop.url, ["--open", "pouch://products/samphire-cardigan"])
            try await ann.see(" Pouch  Samphire Cardigan", "[ Add to cart ]")
            try await ann.type("c", seeing: " Pouch  Cart", "The cart is empty.")
            await ann.interrupt()
            let pages = ann.folder.file("pouch/http_127.0.0.1_\(try #require(shop.url.port)).pages.json")
            #expect(try FileManager.default.attributesOfItem(atPath: pages.path)[.posixPermissions] as? Int == 0o600)

            let later = try ShopVisitor(at: shop.url, in: ann.folder)
            try await later.see(" Pouch  Cart", "The cart is empty.")
            try await later.type(.escape, seeing: " Pouch  Samphire Cardigan", "[ Add to cart ]")
            await later.interrupt()

            let account = try ShopVisitor(at: shop.url, ["--open", "\(shop.url)/account"], in: ann.folder)
            try await account.see(" Pouch  Sign in", "Create an account")
            try await account.type(.escape, seeing: "of 5 ›", "Cardigans")
            await account.interrupt()

            try Data(#"["pouch://cart", "https://evil.example"]"#.utf8).write(to: pages)
            let last = try ShopVisitor(at: shop.url, in: ann.folder)
            try await last.see(" Pouch  Cart", "The cart is empty.")
            await last.interrupt()
            let link = "https://evil.example/cart"
            try await Shopper(at: shop.url).fails(
                "shop --open \(link)", 64, saying: "\(link) is not a link to a page of this shop.")
        }
    }

    @Test func `A visit that ends while the store is being opened leaves the pages of the last one`() async throws {
        try await withRunningShop(selling: .demo) { shop in
            let ann = try ShopVisitor(at: shop.url)
            try await ann.see("of 5 ›", "Cardigans")
            await ann.interrupt()
            let name = "pouch/http_127.0.0.1_\(try #require(shop.url.port))"
            let pages = ann.folder.file(name + ".pages.json")
            let stored = Data(#"["pouch://home","pouch://orders"]"#.utf8)
            try stored.write(to: pages)
            // SQLite's lock for readers: the store waits for it.
            let database = open(ann.folder.file(name + ".sqlite").path, O_RDWR)
            defer { close(database) }
            var lock = flock()
            (lock.l_type, lock.l_whence, lock.l_start, lock.l_len) = (Int16(F_WRLCK), Int16(SEEK_SET), 0x4000_0002, 510)
            #expect(fcntl(database, F_SETLK, &lock) == 0)
            let short = try ShopVisitor(at: shop.url, in: ann.folder)
            try await short.terminal.wait("the first screen") { $0.lines[0].contains("Home") }
            await short.interrupt()
            #expect(try Data(contentsOf: pages) == stored)
        }
    }

    @Test func `A feed on the web is browsed like a shop, even offline, and says what it cannot do`() async throws {
        let (feed, ann) = try await withWebServer(of: TestFeed.demoFolder) { feed in
            let ann = try ShopVisitor(at: feed, ["--feed", feed.absoluteString])
            try await ann.see("‹ 1 of 5 ›", "Cardigans")
            try await ann.type(.down, "sledge", .enter, seeing: "› Sledge Socks", "22.90 EUR")
            try await ann.type(.enter, seeing: "› Colour")
            try await ann.type(.right, .down, .right, "+", seeing: "The shop does not offer this here.", "Enter OK")
            try await ann.type(.enter, "c", seeing: " Pouch  Cart", "The shop does not offer this here.")
            await ann.interrupt()
            return (feed, ann)
        }
        let later = try ShopVisitor(at: feed, ["--feed", feed.absoluteString], in: ann.folder)
        try await later.see(" Pouch  Cart")
        try await later.type("h", seeing: "of 5 ›", "Cardigans")
        try await later.type(.down, "sledge", .enter, seeing: "› Sledge Socks", "22.90 EUR")
        await later.interrupt()
    }

    @Test func `A damaged store is set aside with a notice, and the shop continues without it`() async throws {
        try await withRunningShop(selling: .demo) { shop in
            let folder = try TemporaryFolder()
            let stores = folder.file("pouch")
            try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: true)
            let database = stores.appending(path: "http_127.0.0.1_\(try #require(shop.url.port)).sqlite")
            try Data("this is no database".utf8).write(to: database)
            let ann = try ShopVisitor(at: shop.url, in: folder)
            try await ann.see("The data on this device was damaged and has been moved to", "Enter OK")
            try await ann.type(.enter, seeing: "of 5 ›", "Cardigans", "q leave")
            await ann.interrupt()
            let kept = try FileManager.default.contentsOfDirectory(atPath: stores.path)
            let aside = try #require(kept.first { $0.contains(".sqlite.set-aside-") })
            #expect(try String(contentsOf: stores.appending(path: aside), encoding: .utf8) == "this is no database")
        }
    }

    @Test func `Without a store, the shop says so and continues`() async throws {
        try await withRunningShop(selling: .demo) { shop in
            let folder = try TemporaryFolder()
            let database = folder.file("pouch/http_127.0.0.1_\(try #require(shop.url.port)).sqlite")
            try FileManager.default.createDirectory(at: database, withIntermediateDirectories: true)
            let ann = try ShopVisitor(at: shop.url, in: folder)
            try await ann.see("Nothing can be stored on this device: there is no space or no")
            try await ann.type(.enter, seeing: "of 5 ›", "Cardigans", "q leave")
            await ann.interrupt()
        }
    }

    @Test func `pouch shop refuses to start without a terminal, with advice, and with --json`() async throws {
        let ann = try Shopper(at: nowhere())
        try await ann.fails("shop", 64, saying: "must be a terminal", "pouch --help")
        try await ann.fails("shop --json", 64, saying: "leave out --json")
    }
}

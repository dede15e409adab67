import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PseudoTerminal
import ServiceLifecycle
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
            let again = try ShopVisitor(at: shop.url, goingOnWith: ann)
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
            ann.press(.right, .down, .right, .down, .right)
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
        try await withServer(answering: #"{"items": [{"id": 1}]}"#) { server in
            let ann = try ShopVisitor(at: server)
            try await ann.see("Search the shop", "All products")
            #expect(!ann.terminal.screen.text.contains("warning"))
            ann.press(.interrupt)
            #expect(await ann.program.exit == 0)
            try await ann.terminal.wait("the warnings") { !$0.isAlternate && $0.text.contains("was left out") }
        }
    }

    /// A server that gives the same JSON to everybody, while the closure runs.
    private func withServer(answering json: String, _ body: @Sendable (URL) async throws -> Void) async throws {
        let router = Router()
        router.get("**") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: json)))
        }
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "stub")
        logger.logLevel = .critical
        let server = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in ready.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        let services = ServiceGroup(configuration: .init(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            let port = await ports.first { _ in true } ?? 0
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(#require(URL(string: "http://127.0.0.1:\(port)"))))
            } catch {
                result = .failure(error)
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
            try result.get()
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
        let later = try ShopVisitor(at: address, goingOnWith: ann)
        // What is fresh is not asked for, so that the shop is not known to be away yet.
        try await later.see("of 5 ›", "Cardigans")
        later.press(.enter)
        try await later.see("OFFLINE", "The server cannot be reached.", "Spruce Jumper", "[ Add to cart ]")
        later.press(.interrupt)
        #expect(await later.program.exit == 0)
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
        let outcome = try await Program.run(["shop"], environment: ["TERM": "xterm"], input: "")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("needs a terminal"))
        #expect(outcome.errors.contains("pouch --help"))
        let json = try await Program.run(["shop", "--json"], environment: ["TERM": "xterm"], input: "")
        #expect(json.status == 64)
        #expect(json.errors.contains("leave out --json"))
    }
}

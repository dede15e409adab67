import Foundation
import PouchClient
import Testing

/// The commands of `pouch` in scripts, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct TerminalTests {
    @Test func `The main job: browse, sign up, fill the cart, pay, see the order, cancel it`() async throws {
        try await withShopper { ann, _ in
            let catalog = try await ann.succeeds("catalog --search cardigan", printing: "ribbed-cardigan", "129.00")
            #expect(!catalog.output.contains("wool-scarf"))
            try await ann.succeeds("product ribbed-cardigan", printing: "ribbed-cardigan-s", "ribbed-cardigan-m")
            // A guest fills the cart, and keeps it when signing up.
            try await ann.succeeds("cart add ribbed-cardigan-s --quantity 2")
            try await ann.signUp()
            try await ann.succeeds("whoami", printing: "ann@example.com")
            try await ann.succeeds("cart", printing: "258.00")
            try await ann.succeeds("checkout --card tok_ok \(Shopper.address)", printing: "262.90")
            let order = try #require(try await ann.json("orders", as: Page<Order>.self).items.first)
            #expect(order.status == .paid)
            try await ann.succeeds("order \(order.id)", printing: order.number)
            try await ann.succeeds("cancel \(order.id)")
            try await ann.fails("cancel \(order.id)", 3, saying: "The order \(order.id) can no longer be cancelled.")
            try await ann.succeeds("sign-out")
            try await ann.fails("orders", 4)
        }
    }

    @Test func `The lines of a cart are added, changed and removed`() async throws {
        try await withShopper { ann, _ in
            try await ann.succeeds("cart add wool-scarf")
            try await ann.succeeds("cart set wool-scarf 3", printing: "128.97")
            try await ann.succeeds("cart add ribbed-cardigan-s")
            let cart = try await ann.json("cart remove wool-scarf", as: Cart.self)
            #expect(cart.lines.map(\.sku) == ["ribbed-cardigan-s"])
            for change in ["remove wool-scarf", "set wool-scarf 0"] {
                try await ann.fails("cart \(change)", 2, saying: "no line wool-scarf")
            }
            #expect(try await ann.pouch("--json cart clear").json(Cart.self).lines.isEmpty)
        }
    }

    @Test
    func `--trace prints a line for each request, aligned and without secrets, and leaves the output alone`()
        async throws
    {
        try await withShopper { ann, _ in
            try await ann.signUp()
            let plain = try await ann.pouch("cart add wool-scarf")
            let traced = try await ann.pouch("cart add wool-scarf --trace")
            #expect(plain.errors.isEmpty && traced.output.contains("85.98"))
            let lines = traced.errors.split(separator: "\n").map(String.init)
            #expect(lines.count == 2)
            let place = try #require(lines.first?.range(of: "REQUEST", options: .backwards)?.lowerBound)
            let request = try #require(lines.last?.range(of: "POST /v1/cart/lines")?.lowerBound)
            #expect(
                lines[0].distance(from: lines[0].startIndex, to: place)
                    == lines[1].distance(from: lines[1].startIndex, to: request))
            #expect(lines[1].contains("trace  200 ") && lines[1].contains(" ms "))
            let search = try await ann.pouch("--trace catalog --search wool")
            #expect(search.errors.contains("GET /v1/products?q=*") && !search.errors.contains("wool"))
            let again = try await ann.pouch("sign-in --email ann@example.com --trace", input: "wrong password\n")
            #expect(again.errors.contains("POST /v1/sessions\n") && again.errors.contains("trace  401 "))
            #expect(!again.errors.contains("ann@example.com") && !again.errors.contains("wrong password"))
        }
    }

    @Test func `Buy now leaves the cart alone`() async throws {
        try await withShopper { ann, _ in
            try await ann.succeeds("cart add ribbed-cardigan-s")
            let order = try await ann.buys("wool-scarf")
            #expect(order.status == .paid && order.lines.map(\.sku) == ["wool-scarf"])
            try await ann.succeeds("cart", printing: "ribbed-cardigan-s")
        }
    }

    @Test(
        arguments: [
            ("product no-such-thing", 2), ("cart add no-such-sku", 2), ("cart add sun-hat", 3),
            ("cart add wool-scarf --quantity 99", 3), ("checkout --card tok_ok", 3), ("orders --nonsense", 64),
            ("catalog --sort backwards", 64), ("sign-in --email nobody@example.com", 4),
        ] as [(String, Int32)])
    func `Each kind of failure has its exit code, and its text goes only to standard error`(
        command: String, status: Int32
    ) async throws {
        try await withShopper { ann, _ in
            let outcome = try await ann.fails(command, status, input: "wrong password\n")
            #expect(!outcome.errors.contains("\u{1B}"))
        }
    }

    @Test(arguments: [
        ("cart add wool-scarf --quantity -1", "'-1' is invalid for '--quantity"),
        ("buy wool-scarf --card tok_ok --quantity -1", "'-1' is invalid for '--quantity"),
        ("catalog --limit -1", "--limit takes a number from 1 to 200."),
        ("orders --page -1", "--page takes a number from 1."),
        ("admin discount add TEN --percent -5", "'-5' is invalid for '--percent"),
        ("admin stock list --threshold -1", "'-1' is invalid for '--threshold"),
    ])
    func `An option takes a negative number as its value, and says what it takes`(command: String, text: String)
        async throws
    {
        try await Shopper(at: nowhere()).fails(command, 64, saying: text)
    }

    @Test func `A declined card is reported with its reason`() async throws {
        try await withShopper { ann, _ in
            let buy = "buy wool-scarf --card tok_insufficient_funds --email a@example.com \(Shopper.address)"
            try await ann.fails(buy, 3, saying: "insufficient_funds")
        }
    }

    @Test func `An unreachable server is named, with advice`() async throws {
        try await Shopper(at: nowhere()).fails("catalog", 5, saying: "127.0.0.1:9")
    }

    @Test func `A server without a shop at the address is doubted, and not the products`() async throws {
        try await withShopper { ann, shop in
            let folder = try Shopper(at: shop.url.appending(path: "sub"))
            try await folder.fails("catalog", 2, saying: "no shop at this address", "/sub the shop's server")
            try await ann.fails("product sub", 2, saying: "No such product: sub.")
        }
    }

    @Test func `The session file is readable only by its owner, and no secret is printed`() async throws {
        try await withShopper { ann, _ in
            let signUp = try await ann.pouch(
                "sign-up --name Ann --email ann@example.com --json", input: "correct horse\n")
            #expect(try ann.stateFiles.map(\.mode) == [0o600])
            let whoami = try await ann.pouch("whoami --json")
            for text in [signUp.output, signUp.errors, whoami.output, whoami.errors] {
                #expect(!text.contains("Token") && !text.contains("correct horse"))
            }
        }
    }

    @Test func `Signing in merges the guest's cart into the account's`() async throws {
        try await withShopper { ann, shop in
            try await ann.signUp()
            try await ann.succeeds("cart add wool-scarf")
            let elsewhere = try Shopper(at: shop.url)
            try await elsewhere.succeeds("cart add wool-scarf")
            try await elsewhere.succeeds("sign-in --email ANN@example.com", input: "correct horse\n")
            #expect(try await elsewhere.json("cart", as: Cart.self).unitCount == 2)
        }
    }
}

import Foundation
import PouchClient
import Testing

/// The commands of `pouch` in scripts, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct TerminalTests {
    static let address = [
        "--name", "Ann Example", "--line1", "1 High Street", "--city", "Sydney", "--postal-code", "2000",
        "--country", "AU",
    ]

    @Test func `The main job: browse, sign up, fill the cart, pay, see the order, cancel it`() async throws {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            let catalog = try await ann.pouch("catalog", "--search", "cardigan")
            #expect(catalog.status == 0)
            #expect(catalog.output.contains("ribbed-cardigan"))
            #expect(catalog.output.contains("129.00"))
            #expect(!catalog.output.contains("wool-scarf"))
            let product = try await ann.pouch("product", "ribbed-cardigan")
            #expect(product.output.contains("ribbed-cardigan-s"))
            #expect(product.output.contains("ribbed-cardigan-m"))
            // A guest fills the cart, and keeps it when signing up.
            #expect(try await ann.pouch("cart", "add", "ribbed-cardigan-s", "--quantity", "2").status == 0)
            try await ann.signUp()
            #expect(try await ann.pouch("whoami").output.contains("ann@example.com"))
            #expect(try await ann.pouch("cart").output.contains("258.00"))
            let checkout = try await ann.pouch(arguments: ["checkout", "--card", "tok_ok"] + Self.address)
            #expect(checkout.status == 0, "\(checkout.errors)")
            #expect(checkout.output.contains("262.90"))
            let orders = try await ann.pouch("--json", "orders")
            let page = try orders.json(Page<Order>.self)
            let order = try #require(page.items.first)
            #expect(order.status == .paid)
            #expect(try await ann.pouch("order", order.id).output.contains(order.number))
            #expect(try await ann.pouch("cancel", order.id).status == 0)
            let again = try await ann.pouch("cancel", order.id)
            #expect(again.status == 3)
            #expect(again.errors.contains("The order \(order.id) can no longer be cancelled."))
            #expect(try await ann.pouch("sign-out").status == 0)
            #expect(try await ann.pouch("orders").status == 4)
        }
    }

    @Test func `The lines of a cart are added, changed and removed`() async throws {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            #expect(try await ann.pouch("cart", "add", "wool-scarf").status == 0)
            #expect(try await ann.pouch("cart", "set", "wool-scarf", "3").output.contains("128.97"))
            #expect(try await ann.pouch("cart", "add", "ribbed-cardigan-s").status == 0)
            let removed = try await ann.pouch("cart", "remove", "wool-scarf", "--json")
            let cart = try removed.json(Cart.self)
            #expect(cart.lines.map(\.sku) == ["ribbed-cardigan-s"])
            for command in [["remove", "wool-scarf"], ["set", "wool-scarf", "0"]] {
                let missing = try await ann.pouch(arguments: ["cart"] + command)
                #expect(missing.status == 2 && missing.output.isEmpty)
                #expect(missing.errors.contains("no line wool-scarf"), "\(missing.errors)")
            }
            let cleared = try await ann.pouch("--json", "cart", "clear")
            #expect(try cleared.json(Cart.self).lines.isEmpty)
        }
    }

    @Test func `--trace prints a line for each request, aligned and without secrets, and leaves the output alone`()
        async throws
    {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            try await ann.signUp()
            let plain = try await ann.pouch("cart", "add", "wool-scarf")
            let traced = try await ann.pouch("cart", "add", "wool-scarf", "--trace")
            #expect(plain.errors.isEmpty && traced.output.contains("85.98"))
            let lines = traced.errors.split(separator: "\n").map(String.init)
            #expect(lines.count == 2)
            let place = try #require(lines.first?.range(of: "REQUEST", options: .backwards)?.lowerBound)
            let request = try #require(lines.last?.range(of: "POST /v1/cart/lines")?.lowerBound)
            #expect(
                lines[0].distance(from: lines[0].startIndex, to: place)
                    == lines[1].distance(from: lines[1].startIndex, to: request))
            #expect(lines[1].contains("trace  200 ") && lines[1].contains(" ms "))
            let search = try await ann.pouch("--trace", "catalog", "--search", "wool")
            #expect(search.errors.contains("GET /v1/products?q=*") && !search.errors.contains("wool"))
            let again = try await ann.pouch(
                "sign-in", "--email", "ann@example.com", "--trace", input: "wrong password\n")
            #expect(again.errors.contains("POST /v1/sessions\n") && again.errors.contains("trace  401 "))
            #expect(!again.errors.contains("ann@example.com") && !again.errors.contains("wrong password"))
        }
    }

    @Test func `Buy now leaves the cart alone`() async throws {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            #expect(try await ann.pouch("cart", "add", "ribbed-cardigan-s").status == 0)
            let bought = try await ann.pouch(
                arguments: ["buy", "wool-scarf", "--card", "tok_ok", "--email", "a@example.com", "--json"]
                    + Self.address)
            let order = try bought.json(Order.self)
            #expect(order.status == .paid)
            #expect(order.lines.map(\.sku) == ["wool-scarf"])
            #expect(try await ann.pouch("cart").output.contains("ribbed-cardigan-s"))
        }
    }

    @Test(
        arguments: [
            (["product", "no-such-thing"], 2),
            (["cart", "add", "no-such-sku"], 2),
            (["cart", "add", "sun-hat"], 3),
            (["cart", "add", "wool-scarf", "--quantity", "99"], 3),
            (["checkout", "--card", "tok_ok"], 3),
            (["orders", "--nonsense"], 64),
            (["catalog", "--sort", "backwards"], 64),
            (["sign-in", "--email", "nobody@example.com"], 4),
        ] as [([String], Int32)])
    func `Each kind of failure has its exit code, and its text goes only to standard error`(arguments: [String], status: Int32) async throws
    {
        try await withRunningShop { shop in
            let outcome = try await Shopper(at: shop.url).pouch(arguments: arguments, input: "wrong password\n")
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
            #expect(!outcome.errors.isEmpty)
            #expect(!outcome.errors.contains("\u{1B}"))
        }
    }

    @Test(arguments: [
        (["cart", "add", "wool-scarf", "--quantity", "-1"], "'-1' is invalid for '--quantity"),
        (["buy", "wool-scarf", "--card", "tok_ok", "--quantity", "-1"], "'-1' is invalid for '--quantity"),
        (["catalog", "--limit", "-1"], "--limit takes a number from 1 to 200."),
        (["orders", "--page", "-1"], "--page takes a number from 1."),
        (["admin", "discount", "add", "TEN", "--percent", "-5"], "'-5' is invalid for '--percent"),
        (["admin", "stock", "list", "--threshold", "-1"], "'-1' is invalid for '--threshold"),
    ])
    func `An option takes a negative number as its value, and says what it takes`(arguments: [String], text: String)
        async throws
    {
        let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
        let outcome = try await Shopper(at: nowhere).pouch(arguments: arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test func `A declined card is reported with its reason`() async throws {
        try await withRunningShop { shop in
            let outcome = try await Shopper(at: shop.url).pouch(
                arguments: ["buy", "wool-scarf", "--card", "tok_insufficient_funds", "--email", "a@example.com"]
                    + Self.address)
            #expect(outcome.status == 3)
            #expect(outcome.errors.contains("insufficient_funds"))
        }
    }

    @Test func `An unreachable server is named, with advice`() async throws {
        let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
        let outcome = try await Shopper(at: nowhere).pouch("catalog")
        #expect(outcome.status == 5)
        #expect(outcome.errors.contains("127.0.0.1:1"))
    }

    @Test func `A server without a shop at the address is doubted, and not the products`() async throws {
        try await withRunningShop { shop in
            let folder = try Shopper(at: shop.url.appending(path: "sub"))
            let outcome = try await folder.pouch("catalog")
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("no shop at this address"))
            #expect(outcome.errors.contains("/sub the shop's server"))
            let product = try await Shopper(at: shop.url).pouch("product", "sub")
            #expect(product.errors.contains("No such product: sub."))
        }
    }

    @Test func `The session file is readable only by its owner, and no secret is printed`() async throws {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            let signUp = try await ann.pouch(
                "sign-up", "--name", "Ann", "--email", "ann@example.com", "--json", input: "correct horse\n")
            let files = try ann.stateFiles
            #expect(files.count == 1)
            #expect(files.allSatisfy { $0.mode == 0o600 })
            let whoami = try await ann.pouch("whoami", "--json")
            for text in [signUp.output, signUp.errors, whoami.output, whoami.errors] {
                #expect(!text.contains("Token"))
                #expect(!text.contains("correct horse"))
            }
        }
    }

    @Test func `Signing in merges the guest's cart into the account's`() async throws {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            try await ann.signUp()
            #expect(try await ann.pouch("cart", "add", "wool-scarf").status == 0)
            let elsewhere = try Shopper(at: shop.url)
            #expect(try await elsewhere.pouch("cart", "add", "wool-scarf").status == 0)
            #expect(
                try await elsewhere.pouch("sign-in", "--email", "ANN@example.com", input: "correct horse\n").status == 0
            )
            let cart = try await elsewhere.pouch("cart", "--json")
            #expect(try cart.json(Cart.self).unitCount == 2)
        }
    }
}

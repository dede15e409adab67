import ServerTesting
import Testing

/// The number of statements that a request takes.
struct StatementTests {
    @Test(arguments: [1, 50])
    func `A checkout takes at most 12 statements, and the first also reserves numbers`(lines: Int) async throws {
        try await shop(lines) { _, buyer in
            let transactions = try await checkout(by: buyer)
            #expect(transactions.count == 3)
            #expect(transactions.joined().count <= 13, "\(transactions.flatMap { $0.map(\.sql) })")
            #expect(transactions.joined().contains { $0.sql.contains("INSERT INTO orders") })
        }
    }

    @Test func `A guest's discount code adds a read, and counts in total, per buyer and per address`() async throws {
        try await shop(1) { shop, buyer in
            try await shop.admin().addDiscount(DiscountTerms(code: "SHIP", kind: .freeShipping)).good()
            try await buyer.discount("SHIP").good()
            let transactions = try await checkout(by: buyer)
            #expect(transactions.joined().count <= 13 + 4, "\(transactions.flatMap { $0.map(\.sql) })")
            #expect(transactions.joined().contains { $0.sql.contains("INSERT INTO discount_uses") })
        }
    }

    private func checkout(by buyer: Caller) async throws -> [RecordingDatabase.Transaction] {
        try await buyer.ship().good()
        let total = try await buyer.cart().totals.total.amount
        return try await RecordingDatabase.transactions { try await buyer.checkout(total: total).good() }
    }

    @Test(arguments: [true, false])
    func `A write to a cart of 500 lines takes as many statements as to an empty cart`(isMinimal: Bool) async throws {
        let counts = try await parallel(2) { index in
            try await shop([0, 499][index]) { _, buyer in try await writes(by: buyer, isMinimal: isMinimal) }
        }
        #expect(counts[0] == counts[1])
        #expect(counts[0].allSatisfy { $0 > 0 })
    }

    @Test func `A minimal write to a long cart reads session and head, and writes line and head`() async throws {
        try await shop(40) { _, buyer in
            let transactions = try await RecordingDatabase.transactions {
                try await buyer.set("thing-20", to: 3, headers: .minimal)
            }
            let statements = transactions.joined().map(\.sql)
            #expect(statements.count == 4, "\(statements)")
            #expect(statements[1].contains("FROM carts") || statements[1].contains("JOIN carts"))
            #expect(statements[2].contains("INSERT INTO cart_lines") && statements[3].contains("UPDATE carts"))
        }
    }

    @Test func `Merging two long carts takes as many statements as merging two short ones`() async throws {
        let counts = try await parallel(2) { index -> Int in
            let (common, own) = ([1, 60][index], [1, 40][index])
            return try await shop(common + own) { shop, guest in
                let account = try await shop.customer()
                for number in 0..<common { try await account.add("thing-\(number)").good() }
                try await account.add("more").good()
                let transactions = try await RecordingDatabase.transactions { try await guest.signIn().good() }
                let cart = try await account.cart()
                let added = (common..<common + own).map { "thing-\($0)" }
                #expect(cart.lines.map(\.sku) == (0..<common).map { "thing-\($0)" } + ["more"] + added)
                #expect(
                    cart.lines.map(\.quantity) == Array(repeating: 2, count: common)
                        + Array(repeating: 1, count: own + 1))
                return transactions.joined().count
            }
        }
        #expect(counts[0] == counts[1])
    }

    @Test func `Writes to the carts of neighbouring guests do not conflict`() async throws {
        try await shop(1) { shop, _ in
            let guests = try await parallel(24) { _ in try await shop.guest() }
            let transactions = try await RecordingDatabase.transactions {
                for _ in 0..<4 {
                    let statuses = try await parallel(guests.count) { try await guests[$0].add("more").status }
                    #expect(Set(statuses) == [200])
                }
            }
            // A transaction that runs again is recorded again.
            #expect(transactions.count == 4 * guests.count)
        }
    }

    @Test func `Pages of the administration run no additional queries for names, keys and numbers`() async throws {
        try await TestShop.open(configure: { $0.instrument = { RecordingDatabase($0) } }) { shop in
            let order = try await shop.customer().order()
            let admin = try await shop.staff(.owner)
            let visitor = WebVisitor(shop, session: admin.session)
            func statements(of address: String) async throws -> [String] {
                // The first visit may fill caches.
                _ = try await visitor.get(address)
                return try await RecordingDatabase.transactions {
                    let status = try await visitor.get(address).status
                    #expect(status < 400, "\(address)")
                }.joined().map(\.sql)
            }
            for address in ["/admin/products", "/admin/products/new", "/admin/discounts", "/admin/discounts/new"] {
                let found = try await statements(of: address)
                let counts = found.filter { $0.contains("COUNT(*)") && $0.contains("all_products") }
                #expect(!found.isEmpty && counts.isEmpty, "\(address)")
            }
            let search = try await statements(of: "/admin/search?q=\(order.number)")
            #expect(!search.isEmpty && !search.contains { $0.contains("all_products") })
            var counts: [Int] = []
            for name in ["one", "two", "three"] {
                _ = try await admin.newKey([.readOrders], name: name).good()
                counts.append(try await statements(of: "/admin/keys").count)
            }
            #expect(Set(counts).count == 1, "\(counts)")
            let keys = try await visitor.get("/admin/keys")
            #expect(keys.words.contains("three") && keys.words.contains("Staff"))
        }
    }

    @Test func `An export checks its session in each of its reads, so that it ends with the session`() async throws {
        try await TestShop.open(configure: { $0.instrument = { RecordingDatabase($0) } }) { shop in
            let customer = try await shop.customer()
            _ = try await customer.order()
            let owner = try await shop.staff(.owner)
            let exports: [(Caller, any AnyExchange)] = [
                (customer, Contract.exportAccount), (owner, Contract.exportOrders), (owner, Contract.exportCustomers),
                (owner, Contract.exportStock), (owner, Contract.exportProducts),
            ]
            for (reader, export) in exports {
                let name = export.endpoint.name
                let reads = try await RecordingDatabase.transactions {
                    let answer = try await reader.send("GET", export.endpoint.template.path())
                    #expect(answer.status == 200 && !answer.text.isEmpty, "\(name)")
                }.filter { !$0.contains { $0.sql.contains("INSERT INTO audit") } }
                #expect(!reads.isEmpty, "\(name)")
                for read in reads { #expect(read.contains { $0.sql.contains("sessions") }, "\(name): \(read)") }
            }
        }
    }

    /// The statements for adding, changing and removing a line, and for choosing the shipping.
    private func writes(by buyer: Caller, isMinimal: Bool) async throws -> [Int] {
        let headers: [String: String] = isMinimal ? .minimal : [:]
        let shipping = ShippingRequest(methodId: "standard", address: AddressInput(.sample))
        let writes: [() async throws -> Int] = [
            { try await buyer.add("more", headers: headers).status },
            { try await buyer.set("more", to: 3, headers: headers).status },
            { try await buyer.call(Contract.removeCartLine, path: ["sku": "more"], headers: headers).status },
            { try await buyer.call(Contract.setCartShipping, shipping, headers: headers).status },
        ]
        var counts: [Int] = []
        for write in writes {
            let transactions = try await RecordingDatabase.transactions {
                let status = try await write()
                #expect(status == 200)
            }
            counts.append(transactions.joined().count)
        }
        return counts
    }

    /// Opens a shop with a guest whose cart has the given number of lines.
    private func shop<Value: Sendable>(
        _ lines: Int, _ body: @escaping @Sendable (TestShop, Caller) async throws -> Value
    ) async throws -> Value {
        let skus = (0..<lines).map { "thing-\($0)" }
        let value = Box<Value>()
        try await TestShop.open(
            (skus + ["more"]).enumerated().map { .stocked($1, line: $0 + 1) },
            configure: { $0.instrument = { RecordingDatabase($0) } }
        ) { shop in
            let buyer = try await shop.guest()
            for sku in skus { try await buyer.add(sku, headers: .minimal) }
            try #require(try await buyer.cart().lines.count == lines)
            await value.set(try await body(shop, buyer))
        }
        return try #require(await value.value)
    }
}

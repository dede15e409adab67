import ShopBenching

/// The visitors of the measured pages, and what they see there.
struct Visitors: Sendable {
    /// Guests who are in the database before the server starts.
    struct Guests: Sendable {
        let withCarts: Shoppers
        /// Each has a cart of one line to buy.
        let buyers: Shoppers

        init(in shop: BenchShop) async throws {
            withCarts = try await shop.addCarts(2, lines: Visitors.units)
            buyers = try await shop.addShoppers(.spread, rounds: 1)
        }
    }

    /// Lines of the measured cart, each with one unit.
    static let units = 3
    /// Orders of the shop when the administration is measured.
    static let orders = 1_000
    static let product = "cardigan-7"
    static let sku = "sku-70"

    /// The token of forms of all visitors.
    let ticket: FormTicket
    /// Access tokens that outlast the measurements.
    let (shopper, buyer, member, owner): (String, String, String, String)
    /// A guest whose cart the counted forms fill further and buy.
    let newcomer: Int
    let orderId: String

    init(_ guests: Guests, in running: RunningShop) async throws {
        ticket = try await FormTicket(from: "\(running.url)/product/\(Self.product)")
        shopper = try await running.token(of: guests.withCarts.numbers.lowerBound)
        newcomer = guests.withCarts.numbers.upperBound - 1
        for number in guests.buyers.numbers.prefix(Self.orders) {
            try await running.checkout(number, for: try await running.total(of: number))
        }
        let last = guests.buyers.numbers.lowerBound + Self.orders - 1
        buyer = try await running.token(of: last)
        let found = try await running.services.store.read {
            try $0.orders.orders(ownerId: Shoppers.ownerId(last), after: nil, limit: 1).first?.order.id
        }
        guard let found else { throw BenchError("the last buyer has no order") }
        orderId = found
        member = try await Self.signIn("member@example.com", .customer, in: running)
        owner = try await Self.signIn("owner@example.com", .admin, in: running)
    }

    /// - Returns: an access token.
    private static func signIn(
        _ email: String, _ role: AccountRecord.Role, in running: RunningShop
    ) async throws -> String {
        let (services, password) = (running.services, "an unusual passphrase of a bench")
        _ = try await services.accounts.create(name: "Ada", email: email, password: password, role: role)
        let session = try await services.accounts.signIn(email: email, password: password, network: email, guest: nil)
        let record = try await services.store.read { try $0.sessions.session(id: session.id, locking: false) }
        guard let record else { throw BenchError("\(email) has no session") }
        return try await services.accessTokens.issue(
            for: record, expiresAt: services.environment.time.now.addingTimeInterval(3_600))
    }

    /// Headers that a browser sends with a request for a page.
    static let browser = [
        "Accept: text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language: en-GB,en;q=0.7,de;q=0.3",
        "Accept-Encoding: gzip, deflate, br",
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    ]

    /// Those of a browser with a session.
    func browser(_ token: String, units: Int = 0) -> [String] {
        // As long as a real one; the server does not read it while the access token is valid.
        let refresh = String(repeating: "r", count: 43)
        return Self.browser + ["Cookie: " + ticket.cookies(token: token, refreshToken: refresh, units: units)]
    }

    static func program(_ token: String) -> [String] { ["Authorization: Bearer \(token)"] }
}

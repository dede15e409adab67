import HTTPTypes
import HummingbirdTesting
import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The audit log", .timeLimit(.minutes(5)), .inShop(setup: .live, configure: { $0.auditDays = 10 }))
struct AuditLogTests {
    private static let feed = Data("Handle,Title,Variant SKU,Variant Price\na,b,s,1.00\n".utf8)

    private let shop = TestShop.current
    private let admin: Caller

    init() async throws { admin = try await shop.admin() }

    private func entries(_ query: String = "") async throws -> [AuditEntry] {
        try await admin.call(Contract.auditLog, query: query).good().items
    }

    @Test func `A change is stored with who, what, old and new values, from where and when`() async throws {
        let changed = try await admin.change("cap", price: 1200)
        let entry = try #require(try await entries().first)
        #expect(entry.actor == admin.session?.profile?.id && entry.action == "updateVariant")
        #expect(entry.object == "/v1/admin/variants/cap" && entry.address == "127.0.0.1" && entry.count == 1)
        #expect(entry.before?["price"]?["amount"] == 1000 && entry.values?["price"]?["amount"] == 1200)
        #expect(entry.requestId == changed.header(HeaderName.requestId) && entry.at == shop.clock.now)
    }

    @Test func `Every kind of route is audited once: one transaction, a deletion, a refund, a stream`() async throws {
        let order = try await shop.customer().order()
        let discount = try await admin.addDiscount(.ten).good()
        try await admin.call(Contract.deleteDiscount, path: ["id": discount.id]).good()
        // The repetition changes nothing.
        for _ in 1...2 { try await admin.refund(order.id, amount: 100, key: "k").good() }
        _ = try await admin.send("POST", "/v1/admin/imports?format=shopify-csv", bytes: Self.feed)
        let found = try await entries()
        try #require(found.map(\.action) == ["importCatalog", "refundOrder", "deleteDiscount", "addDiscount"])
        #expect(found[0].values == ["format": "shopify-csv"])
        #expect(found[1].values?["reason"] == "Moths" && found[1].object == "/v1/admin/orders/\(order.id)/refunds")
        #expect(found[2].before?["id"]?.string == discount.id && found[2].values == nil)
        #expect(found[3].object == "/v1/admin/discounts/\(discount.id)" && found[3].before == nil)
    }

    @Test func `The entry of an import says whether it was a dry run`() async throws {
        for dryRun in ["true", "false"] {
            let path = "/v1/admin/imports?format=shopify-csv&dryRun=\(dryRun)&name=more%20caps.csv"
            _ = try await admin.send("POST", path, bytes: Self.feed)
        }
        let found = try await entries()
        #expect(found.map(\.action) == ["importCatalog", "importCatalog"])
        #expect(found.map(\.values?["dryRun"]?.string) == ["false", "true"])
        #expect(found.first?.values?["name"] == "more caps.csv")
        #expect(found.first?.object?.hasPrefix("/v1/admin/imports/imp_") == true)
    }

    @Test func `Refused requests, and requests that only read, are not stored`() async throws {
        try await admin.change("nothing", price: 1).problem(.unknownSKU)
        try await admin.change("cap", available: 1, adjust: 1).problem(.validationFailed)
        try await shop.customer().change("cap", price: 1).problem(.forbidden)
        _ = try await admin.call(Contract.discounts).good()
        #expect(try await entries().isEmpty)
    }

    @Test func `An entry names the id of what was changed, however the request had spelled it`() async throws {
        let product = try await admin.call(Contract.managedProduct, path: ["id": "cap"]).good()
        let escaped = product.id.utf8.map { "%" + String($0, radix: 16) }.joined()
        for spelled in ["/\(product.handle)", "/\(escaped)", "//\(product.id)", "/\(product.id)"] {
            let answer = try await admin.send("PATCH", "/v1/admin/products\(spelled)", #"{"name":"Cap"}"#)
            #expect(answer.status == 200, "\(spelled): \(answer.text)")
        }
        let changes = try await entries("object=/v1/admin/products/\(product.id)")
        #expect(changes.map(\.action) == Array(repeating: "updateProduct", count: 4))

        let customer = try await shop.customer()
        let (order, cancelled) = (try await customer.order(), try await customer.order())
        try await admin.track(order.number, .set(Tracking(carrier: "DHL", number: "1"))).good()
        try await admin.fulfil(order.number).good()
        try await admin.deliver(order.number).good()
        try await admin.note("Late", on: order.number).good()
        try await admin.refund(order.number, amount: 100).good()
        try await admin.call(Contract.cancelManagedOrder, path: ["id": cancelled.number]).good()
        let found = try await entries().prefix(6)
        for entry in found {
            let path = "/v1/admin/orders/" + (entry.action == "cancelManagedOrder" ? cancelled : order).id
            #expect(entry.object == path || entry.object?.hasPrefix(path + "/") == true, "\(entry)")
        }
        #expect(Set(found.map(\.action)).count == 6)
    }

    @Test func `Exports of persons, and paging through lists of them, leave entries`() async throws {
        let key = shop.bearer(try await admin.newKey([.readOrders, .readCustomers]).good())
        for number in 0..<4 { _ = try await shop.customer("c\(number)@example.com").order() }
        func read() async throws -> [String] {
            try await entries().filter { $0.action != "createAPIKey" }
                .map { "\($0.action) \($0.object ?? "") \($0.count)" }
        }
        func get(_ path: String) async throws {
            _ = try await shop.anyone.send("GET", "/v1/admin/" + path, headers: key)
        }
        for path in ["customers", "exports/stock"] { try await get(path) }
        #expect(try await read() == [])
        for path in ["exports/customers", "exports/orders?status=paid"] { try await get(path) }
        let exports = ["exportOrders /v1/admin/exports/orders 1", "exportCustomers /v1/admin/exports/customers 1"]
        #expect(try await read() == exports)
        #expect(try await entries("action=exportOrders").first?.values == ["status": "paid"])
        _ = try await admin.pages(Contract.customers, limit: 1)
        #expect(try await read().first == "customers /v1/admin/customers 3")
        _ = try await admin.pages(Contract.allOrders, limit: 2)
        #expect(try await read().first == "allOrders /v1/admin/orders 1")
        // One day after the other leads through all orders without a cursor.
        for window in ["from=2026-01-01T00:00:00Z", "until=2026-01-01T00:00:00Z"] { try await get("orders?\(window)") }
        #expect(try await read().first == "allOrders /v1/admin/orders 2")
    }

    @Test func `An entry and its change are one transaction`() async throws {
        // Without the table the entry cannot be stored.
        try await shop.database { try $0.script("ALTER TABLE audit RENAME TO kept") }
        #expect(try await admin.change("cap", price: 1200).status == 500)
        #expect(try await admin.addDiscount(.ten).status == 500)
        let guest = try await shop.guest()
        let order = try await guest.buyNow().good()
        #expect(try await admin.refund(order.id, amount: 100, key: "r").status == 500)
        #expect(try await admin.call(Contract.cancelManagedOrder, path: ["id": order.id]).status == 500)
        try await shop.database { try $0.script("ALTER TABLE kept RENAME TO audit") }
        #expect(try await admin.call(Contract.discounts).good().items.isEmpty)
        #expect(try await admin.change("cap", adjust: 0).good().price.amount == 1000)
        let stored = try await guest.order(id: order.id)
        #expect(stored.status == .paid && stored.payment.refunded.amount == 0)
    }

    @Test func `The entry of an upload is stored with it, also when its key is repeated`() async throws {
        func upload() async throws -> Answered<Void> {
            try await admin.send("POST", "/v1/admin/imports?format=shopify-csv", bytes: Self.feed, headers: .key("k"))
        }
        func addPicture() async throws -> Answered<Void> {
            try await admin.send(
                "POST", "/v1/admin/pictures", bytes: PictureTests.gif, headers: ["Content-Type": "image/gif"])
        }
        try await shop.database { try $0.script("ALTER TABLE audit RENAME TO kept") }
        #expect(try await upload().status == 500)
        #expect(try await addPicture().status == 500)
        #expect(try await shop.rows("SELECT 1 FROM assets WHERE path LIKE 'pictures/%'").isEmpty)
        try await shop.database { try $0.script("ALTER TABLE kept RENAME TO audit") }
        let again = try await upload()
        #expect(again.status == 202 && again.replayed == nil)
        #expect(try await upload().replayed == "true")
        #expect(try await addPicture().status == 201)
        let found = try await entries()
        #expect(found.map(\.action) == ["addPicture", "importCatalog"])
        #expect(found[0].object?.hasSuffix(".gif") == true)
        #expect(found[1].object?.hasPrefix("/v1/admin/imports/imp_") == true)
    }

    @Test func `Accepted invitations, second factors and deleted accounts have entries by the member`() async throws {
        try await shop.create("joan@example.com")
        for email in ["joan@example.com", "grete@example.com"] {
            try await admin.invite(email, as: .support).good()
            let token = try await shop.invitationToken(email)
            // Without its entry, nothing is accepted.
            try await shop.database { try $0.script("ALTER TABLE audit RENAME TO kept") }
            #expect(try await shop.accept(token).status == 500)
            try await shop.database { try $0.script("ALTER TABLE kept RENAME TO audit") }
            try await shop.accept(token).good()
            let member = try await shop.signIn(email)
            // A secret without a first code is no second factor.
            _ = try await member.call(Contract.beginSecondFactor).good()
            try await member.call(Contract.removeSecondFactor).good()
            let secret = try await member.call(Contract.beginSecondFactor).good()
            try await member.enableSecondFactor("000000").problem(.secondFactorInvalid)
            try await member.enableSecondFactor(try shop.code(secret)).good()
            try await member.call(Contract.removeSecondFactor).good()
            try await member.deleteAccount().good()
            let found = try await entries("actor=\(member.accountId)")
            let actions = ["deleteAccount", "removeSecondFactor", "enableSecondFactor", "acceptInvitation"]
            #expect(found.map(\.action) == actions)
            let path = try "/v1/admin/staff/\(member.accountId)"
            #expect(found.allSatisfy { $0.object == path && $0.address == "127.0.0.1" && $0.requestId != nil })
            #expect(found.map { $0.values?["role"]?.string } == [nil, nil, nil, "support"])
            #expect(found.map { $0.values == nil } == [true, true, true, false])
        }
    }

    @Test func `Secrets are in no entry`() async throws {
        let added = try await admin.addWebhook("https://93.184.216.34/").good()
        try await admin.call(Contract.rotateWebhookSecret, path: ["id": added.webhook.id]).good()
        try await admin.call(Contract.deleteWebhook, path: ["id": added.webhook.id]).good()
        let answer = try await admin.call(Contract.auditLog)
        #expect(try answer.good().items.map(\.action) == ["deleteWebhook", "rotateWebhookSecret", "addWebhook"])
        #expect(try answer.good().items.last?.object == "/v1/admin/webhooks/\(added.webhook.id)")
        #expect(!answer.text.contains("whsec_"))
        let value: JSON = ["name": "a", "list": [["password": "x", "secret": "y"]], "token": .null]
        #expect(value.withoutSecrets == ["name": "a", "list": [["password": "•••", "secret": "•••"]], "token": .null])
    }

    /// A new request with a secret must add its name to `JSON.secretFields`.
    @Test func `Every field of a request by staff whose name sounds secret is known`() throws {
        func names(_ shape: JSONShape) -> [String] {
            switch shape {
            case .object(_, let fields): fields.flatMap { [$0.name] + names($0.shape) }
            case .list(let element), .map(let element), .nullable(let element): names(element)
            default: []
            }
        }
        let known: Set<String> = ["code", "styleCode"]
        for exchange in Contract.all where exchange.endpoint.access.isForStaff {
            guard let type = exchange.bodyType as? any JSONCodable.Type else { continue }
            let secret = names(type.jsonShape).filter { $0.contains(/(?i)passw|secret|token|totp|code|pin$|otp/) }
            #expect(Set(secret).subtracting(known).isSubset(of: JSON.secretFields), "\(exchange.endpoint.name)")
        }
    }

    @Test func `Failed sign-ins are counted by hour, network and account, without the password`() async throws {
        let id = try await shop.customer().accountId
        func fail(_ email: String = "ada@example.com") async throws {
            try await shop.anyone.signIn(email, password: "wrong password").problem(.invalidCredentials)
        }
        for _ in 0..<3 { try await fail() }
        for email in ["absent@example.com", "none@example.com"] { try await fail(email) }
        let answer = try await admin.call(Contract.auditLog, query: "action=\(AuditEntry.failedSignIn)")
        let found = try answer.good().items
        #expect(found.map(\.object) == [nil, id] && found.map(\.count) == [2, 3])
        #expect(found.allSatisfy { $0.actor == nil && $0.address == "127.0.0.1" })
        #expect(!answer.text.contains("wrong password") && !answer.text.contains("absent"))
    }

    @Test func `Failed sign-ins from very many networks fill a bounded number of rows`() async throws {
        let log = AuditLog(shop.environment)
        for batch in 0..<4 {
            try await shop.store.write { repositories in
                for number in 0..<400 {
                    try log.recordFailedSignIn(accountId: nil, network: "10.0.\(batch).\(number)", in: repositories)
                }
            }
        }
        let rows = try await shop.rows("SELECT COUNT(*), SUM(count) FROM audit")
        #expect(try rows.first?.int(0) == 1_001)
        let last = try await shop.rows("SELECT count FROM audit WHERE address IS NULL")
        #expect(try last.map { try $0.int(0) } == [600])
    }

    @Test func `Entries are selected by actor, action, object and time, page by page`() async throws {
        for price in 1...5 {
            try await admin.change("cap", price: Int64(price)).good()
            shop.clock.advance(by: 60)
        }
        try await admin.addDiscount(.ten).good()
        #expect(try await entries("action=addDiscount").count == 1)
        #expect(try await entries("object=/v1/admin/variants/cap").count == 5)
        #expect(try await entries("actor=acc_other").isEmpty)
        let pages = try await admin.pages(Contract.auditLog, limit: 2, query: "action=updateVariant")
        #expect(pages.map(\.count) == [2, 2, 1])
        let amounts = pages.flatMap(\.self).compactMap { $0.values?["price"]?["amount"] }
        #expect(amounts == [5, 4, 3, 2, 1])
        let from = WireTime.text(shop.clock.now.addingTimeInterval(-130))
        for bound in ["from", "until"] { #expect(try await entries("\(bound)=\(from)").count == 3, "\(bound)") }
        try await admin.call(Contract.auditLog, query: "from=yesterday").problem(.invalidQuery)
    }

    @Test func `Entries name their actor, and are found by an e-mail address as by an id`() async throws {
        let member = try await shop.staff(.manager)
        let id = try member.accountId
        try await admin.change("cap", price: 1).good()
        try await member.change("cap", price: 2).good()
        let key = try await admin.newKey([.writeCatalog], name: "till").good()
        let patch = #"{"available": 3}"#
        let answer = try await shop.anyone.send("PATCH", "/v1/admin/variants/cap", patch, headers: shop.bearer(key))
        #expect(answer.status == 200, "\(answer.text)")

        for actor in [id, "manager@example.com", "%20MANAGER@Example.com"] {
            let found = try await entries("actor=\(actor)&action=updateVariant")
            #expect(found.map(\.actor) == [id] && found.first?.values?["price"]?["amount"] == 2, "\(actor)")
            #expect(found.first?.actorName == "Staff" && found.first?.actorEmail == "manager@example.com")
        }
        let made = try await entries("actor=\(key.key.id)")
        #expect(made.map(\.actorName) == ["till"] && made.first?.actorEmail == nil)
        #expect(try await entries("actor=unknown@example.com").isEmpty)
        let long = String(repeating: "a", count: 255)
        try await admin.call(Contract.auditLog, query: "actor=\(long)").problem(.invalidQuery)

        // A deleted account leaves its id alone.
        try await member.deleteAccount().good()
        let left = try await entries("actor=\(id)&action=updateVariant")
        #expect(left.map(\.actor) == [id] && left.first?.actorName == nil && left.first?.actorEmail == nil)
        #expect(try await entries("actor=manager@example.com").isEmpty)
    }

    @Test func `Entries are deleted after the configured days`() async throws {
        try await admin.change("cap", price: 1).good()
        shop.clock.advance(by: 10 * 24 * 3600 + 1)
        try await eventually { try await shop.rows("SELECT id FROM audit").isEmpty }
    }

    // MARK: The lines of the log

    /// Runs another server of the shop during the body, which gets the lines of its log that have the message.
    private func record(
        _ message: JSON, _ setup: TestingSetup,
        _ body: @Sendable (Transport, @Sendable () throws -> [JSON]) async throws -> Void
    ) async throws {
        let lines = LogLines()
        try await ShopApplication(shop.configuration).application(logger: lines.logger()).test(setup) { client in
            try await body(.client(client)) { try lines.all.filter { $0["message"] == message } }
        }
    }

    @Test func `Changes are logged with their actor, object and request id; reads and refusals are not`() async throws {
        try await record("administration", .router) { server, lines in
            let caller = Caller(transport: server, session: admin.session)
            _ = try await caller.call(Contract.discounts).good()
            try await caller.change("nothing", price: 1).problem(.unknownSKU)
            try await Caller(transport: server, session: try await shop.customer().session).change("cap", price: 1)
                .problem(.forbidden)
            #expect(try lines().isEmpty)

            let changed = try await caller.change("cap", price: 1200)
            let added = try await caller.addDiscount(.ten).good()
            try await caller.call(Contract.deleteDiscount, path: ["id": added.id]).good()
            let found = try lines()
            #expect(found.map { $0["action"] } == ["updateVariant", "addDiscount", "deleteDiscount"])
            let actor = try #require(admin.session?.profile?.id)
            #expect(found.allSatisfy { $0["actor"] == .string(actor) })
            #expect(found.first?["object"] == "/v1/admin/variants/cap")
            #expect(found.first?["values"]?.string?.contains(#""amount":1200"#) == true)
            #expect(found.first?["replaced"]?.string?.contains(#""amount":1000"#) == true, "\(found)")
            #expect(found[1]["replaced"] == nil && found.last?["values"] == nil)
            #expect(found.last?["replaced"]?.string?.contains(added.id) == true)
            #expect(found.last?["object"] == .string("/v1/admin/discounts/\(added.id)"))
            #expect(found.first?["hb.request.id"]?.string == changed.header(HeaderName.requestId))
            let token = try #require(admin.session?.remoteSession.accessToken)
            #expect(!"\(found)".contains(token))
        }
    }

    @Test func `A failed sign-in is logged with the client's address and the problem, not the password`() async throws {
        try await record("request", .live) { server, lines in
            try await server.anyone.signIn(password: "wrong password").problem(.invalidCredentials)
            let line = try #require(try lines().first)
            #expect(line["client"] == "127.0.0.1" && line["problem"] == "invalid_credentials")
            #expect(line["path"] == "/v1/sessions" && line["status"] == 401)
            #expect(!"\(try lines())".contains("wrong password"))
        }
    }
}

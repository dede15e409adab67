import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import PouchContract
import PouchEntities
import PouchServer
import PouchWire
import Synchronization
import Testing

@Suite("Access to the administration", .inShop())
struct AdministrationRightsTests {
    private static let endpoints = Endpoint.all.filter { $0.access.isForStaff }

    private let shop = TestShop.current

    private func request(_ caller: Caller, _ endpoint: Endpoint) async throws -> Answered<Void> {
        try await caller.send(
            endpoint.method.rawValue, endpoint.template.path(["sku": "cap", "id": "xyz_1"]),
            endpoint.method == .get ? nil : "{}")
    }

    @Test func `Exactly the endpoints below /v1/admin are for administrators`() {
        #expect(Self.endpoints.count > 10)
        for endpoint in Endpoint.all {
            #expect(endpoint.template.description.hasPrefix("/v1/admin/") == endpoint.access.isForStaff)
        }
    }

    @Test(arguments: endpoints)
    func `Requests without a token get 401, those of guests and customers 403`(endpoint: Endpoint) async throws {
        try await request(shop.anyone, endpoint).problem(.unauthenticated)
        let permission = try #require(endpoint.access.permission)
        for caller in [try await shop.guest(), try await shop.customer()] {
            let problem = try await request(caller, endpoint).problem(.forbidden).problem
            #expect(problem.detail == "Only staff with the permission \(permission.rawValue) may do this.")
        }
    }

    @Test func `Refused requests of a customer have no effect`() async throws {
        let (admin, customer) = (try await shop.admin(), try await shop.customer())
        let order = try await customer.order()
        try await customer.change("cap", price: 1, available: 500).problem(.forbidden)
        try await customer.fulfil(order.id).problem(.forbidden)
        try await customer.addDiscount(.ten).problem(.forbidden)
        #expect(try await shop.available("cap") == 9)
        #expect(try await customer.order(id: order.id) == order)
        #expect(try await admin.call(Contract.discounts).good().items == [])
    }

    @Test func `A signed-out administrator has no access`() async throws {
        let admin = try await shop.admin()
        try await admin.signOut()
        try await admin.change("cap", price: 1).problem(.unauthenticated)
    }
}

@Suite("The audit log", .inShop())
struct AuditTests {
    private final class Lines: Sendable {
        let lines = Mutex<[Logger.Metadata]>([])

        var all: [Logger.Metadata] { lines.withLock { $0 } }
    }

    /// Records the metadata of log lines with a message.
    private struct Recorder: LogHandler {
        let message: Logger.Message
        let recorded: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            guard event.message == message else { return }
            let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
            recorded.lines.withLock { $0.append(all) }
        }
    }

    private let shop = TestShop.current

    /// Runs another server of the shop, and records the lines of its log with the message.
    private func record(
        _ message: Logger.Message, _ setup: TestingSetup, _ body: @Sendable (Transport, Lines) async throws -> Void
    ) async throws {
        let lines = Lines()
        let logger = Logger(label: "audit") { _ in Recorder(message: message, recorded: lines) }
        try await ShopApplication(shop.configuration).application(logger: logger).test(setup) { client in
            try await body(.client(client), lines)
        }
    }

    @Test func `Changes are logged with their actor, object and request id; reads and refusals are not`() async throws {
        try await record("administration", .router) { server, lines in
            let admin = try await shop.admin()
            let caller = Caller(transport: server, session: admin.session)
            _ = try await caller.call(Contract.discounts).good()
            try await caller.change("nothing", price: 1).problem(.unknownSKU)
            try await Caller(transport: server, session: try await shop.customer().session).change("cap", price: 1)
                .problem(.forbidden)
            #expect(lines.all.isEmpty)

            let changed = try await caller.change("cap", price: 1200)
            let added = try await caller.addDiscount(.ten).good()
            try await caller.call(Contract.deleteDiscount, path: ["id": added.id]).good()
            let found = lines.all
            #expect(found.map { $0["action"] } == ["updateVariant", "addDiscount", "deleteDiscount"])
            let actor = try #require(admin.session?.profile?.id)
            #expect(found.allSatisfy { $0["actor"] == .string(actor) })
            #expect(found.first?["object"] == "/v1/admin/variants/cap")
            #expect(found.first?["values"]?.description.contains(#""amount":1200"#) == true)
            #expect(found.first?["replaced"]?.description.contains(#""amount":1000"#) == true, "\(found)")
            #expect(found[1]["replaced"] == nil && found.last?["values"] == nil)
            #expect(found.last?["replaced"]?.description.contains(added.id) == true)
            #expect(found.last?["object"] == .string("/v1/admin/discounts/\(added.id)"))
            #expect(found.first?["hb.request.id"]?.description == changed.header(HeaderName.requestId))
            let token = try #require(admin.session?.remoteSession.accessToken)
            #expect(!found.description.contains(token))
        }
    }

    @Test func `A failed sign-in is logged with the client's address and the problem, and without the password`()
        async throws
    {
        try await record("request", .live) { server, lines in
            try await server.anyone.signIn(password: "wrong password").problem(.invalidCredentials)
            let line = try #require(lines.all.first)
            #expect(line["client"] == "127.0.0.1" && line["problem"] == "invalid_credentials")
            #expect(line["path"] == "/v1/sessions" && line["status"]?.description == "401")
            #expect(!lines.all.description.contains("wrong password"))
        }
    }
}

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

@Suite("What administrators did")
struct AuditTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[Logger.Metadata]>([])

        var all: [Logger.Metadata] { lines.withLock { $0 } }

        func add(_ metadata: Logger.Metadata) {
            lines.withLock { $0.append(metadata) }
        }
    }

    /// Keeps the metadata of the lines about administration.
    private struct Recorder: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            guard event.message == "administration" else { return }
            lines.add(metadata.merging(event.metadata ?? [:]) { _, own in own })
        }
    }

    @Test func `Every change is logged with who made it, of what and in which request; nothing else is`() async throws {
        try await TestShop.open { shop in
            let lines = Lines()
            let application = try await ShopApplication(shop.configuration)
            let logger = Logger(label: "audit") { _ in Recorder(lines: lines) }
            try await application.application(logger: logger).test(.router) { client in
                let admin = try await shop.admin()
                let caller = Caller(transport: .client(client), session: admin.session)
                _ = try await caller.call(Contract.discounts).good()
                try await caller.change("nothing", price: 1).problem(.unknownSKU)
                try await Caller(transport: .client(client), session: try await shop.customer().session)
                    .change("cap", price: 1).problem(.forbidden)
                #expect(lines.all.isEmpty)

                let changed = try await caller.change("cap", price: 1200)
                let added = try await caller.addDiscount(.ten).good()
                try await caller.call(Contract.deleteDiscount, path: ["id": added.id]).good()
                let found = lines.all
                #expect(found.map { $0["action"] } == ["updateVariant", "addDiscount", "deleteDiscount"])
                let actor = try #require(admin.session?.profile?.id)
                #expect(found.allSatisfy { $0["actor"] == .string(actor) })
                #expect(found.first?["object"] == "/v1/admin/variants/cap")
                #expect(found.last?["object"] == .string("/v1/admin/discounts/\(added.id)"))
                #expect(found.first?["hb.request.id"]?.description == changed.header(HeaderName.requestId))
                let token = try #require(admin.session?.remoteSession.accessToken)
                #expect(!found.description.contains(token))
            }
        }
    }
}

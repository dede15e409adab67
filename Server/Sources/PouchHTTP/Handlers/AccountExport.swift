import Foundation
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchWire

/// A customer's own data.
struct AccountExportHandler {
    let accounts: AccountService
    let retention: OrderRetention
    let store: any ShopStore
    let time: any TimeSource

    /// Answers with an `AccountExport`, written list by list and page by page, so that years of orders take no more
    /// memory than one page of them.
    func export(_ call: Call<Void>) async throws -> Response {
        let principal = call.principal
        let now = time.now
        // Reads before the head of the answer is sent, so that a refusal still has its status.
        let profile = try await store.read(for: principal) { try accounts.profile(principal, in: $0) }
        let body = ResponseBody { writer in
            // The members are sorted by their keys, as in all JSON of the server.
            try await writer.write(ByteBuffer(string: "{\"addresses\":"))
            let addresses = try await store.read(for: principal) { try accounts.addresses(principal, in: $0) }
            try await writer.write(ByteBuffer(bytes: addresses.json()))
            try await writer.write(ByteBuffer(string: ",\"exportedAt\":"))
            try await writer.write(ByteBuffer(bytes: now.json()))
            try await list("mails", of: principal, to: &writer) { after, limit, repositories in
                try repositories.mails.mails(ownerId: principal.ownerId, after: after, limit: limit)
                    .map { ($0.id, $0.mail) }
            }
            try await list("orders", of: principal, to: &writer) { after, limit, repositories in
                try repositories.orders.orders(ownerId: principal.ownerId, after: after, limit: limit)
                    .map { ($0.order.id, $0.order) }
            }
            try await writer.write(ByteBuffer(string: ",\"profile\":"))
            try await writer.write(ByteBuffer(bytes: profile.json()))
            try await list("retention", of: principal, to: &writer) { after, limit, repositories in
                try repositories.orders.orders(ownerId: principal.ownerId, after: after, limit: limit).map {
                    let until = retention.end(of: $0.order)
                    return ($0.order.id, AccountExport.Retention(number: $0.order.number, until: until))
                }
            }
            try await list("rides", of: principal, to: &writer) { after, limit, repositories in
                try repositories.rides.rides(riderId: principal.ownerId, after: after, limit: limit)
                    .map { ($0.id, $0.ride(at: now)) }
            }
            try await list("sessions", of: principal, to: &writer) { after, limit, repositories in
                try accounts.sessions(of: principal, after: after, limit: limit, in: repositories).map { ($0.id, $0) }
            }
            try await writer.write(ByteBuffer(string: "}"))
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"], body: body)
    }

    /// Writes a member with a list, using one read transaction for each page. The export ends with its session.
    private func list<Item: JSONCodable & Sendable>(
        _ name: String, of principal: Principal, to writer: inout any ResponseBodyWriter,
        _ read: @escaping @Sendable (String?, Int, any ShopRepositories) throws -> [(id: String, item: Item)]
    ) async throws {
        let limit = 100
        var after: String?
        var separator = ",\"\(name)\":["
        repeat {
            let page = try await store.read(for: principal) { [after] repositories in
                try read(after, limit, repositories).map { (id: $0.id, json: try $0.item.json()) }
            }
            for (_, json) in page {
                try await writer.write(ByteBuffer(string: separator))
                try await writer.write(ByteBuffer(bytes: json))
                separator = ","
            }
            after = page.count == limit ? page.last?.id : nil
        } while after != nil
        try await writer.write(ByteBuffer(string: separator == "," ? "]" : separator + "]"))
    }
}

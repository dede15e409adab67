import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

/// The orders of all customers, for the staff, each identified by its id or number.
struct ManagedOrderHandlers {
    private let store: any ShopStore
    private let pages: ListPager
    private let administration: ShopAdministration
    private let checkouts: CheckoutService
    private let audit: AuditLog
    private let timeZone: TimeZone

    init(services: ShopServices, pages: ListPager) {
        store = services.store
        self.pages = pages
        administration = ShopAdministration(services.environment)
        checkouts = services.checkout
        audit = AuditLog(services.environment)
        timeZone = services.environment.shop.timeZone
    }

    func orders(_ call: Call<AllOrdersQuery>, in repositories: any Repositories) throws -> Reply<Page<Order>> {
        let query = call.input
        let search = query.search
        return Reply(
            try pages.page(list: "all-orders", query.page, key: \.id) { after, limit in
                try repositories.orders.orders(matching: search, after: after, limit: limit).map(\.order)
            })
    }

    func order(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<ManagedOrder> {
        let (order, version) = try administration.managedOrder(call.parameter("id"), in: repositories)
        return Reply(order, etag: String(version))
    }

    /// The id of the order that a request changes. The path identifies it by its id or number.
    private func id(in call: Call<some Sendable>, _ repositories: any Repositories) throws -> String {
        let id = try repositories.orders.id(of: call.parameter("id"))
        call.changes(id: id)
        return id
    }

    func update(_ call: Call<OrderPatch>, in repositories: any Repositories) throws -> Reply<Order> {
        let reference = try id(in: call, repositories)
        let tracking: Tracking?
        switch call.input.tracking {
        case .keep:
            let record = try repositories.orders.order(of: reference)
            guard try call.ifMatch ?? record.version == record.version else { throw DomainError.versionConflict }
            return Reply(order: record)
        case .clear: tracking = nil
        case .set(let value): tracking = value
        }
        let (before, after) = try administration.track(reference, tracking, ifMatch: call.ifMatch, in: repositories)
        if let old = before.tracking { call.replaced(old) }
        return Reply(order: after)
    }

    func fulfil(_ call: Call<FulfilRequest>, in repositories: any Repositories) throws -> Reply<Order> {
        Reply(
            order: try administration.fulfil(
                orderId: id(in: call, repositories), tracking: call.input.tracking, ifMatch: call.ifMatch,
                in: repositories))
    }

    func deliver(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<Order> {
        Reply(
            order: try administration.deliver(
                orderId: id(in: call, repositories), ifMatch: call.ifMatch, in: repositories))
    }

    func cancel(_ call: Call<Void>) async throws -> Response {
        let orderId = try await store.read { repositories in
            // A key has no password to confirm, so its scope alone decides whether it may refund.
            if call.principal.credential == .apiKey {
                try call.principal.checkKey(for: .refundOrders, in: repositories)
            }
            return try id(in: call, repositories)
        }
        return try await checkouts.cancel(
            orderId: orderId, of: call.principal, isStaff: true, ifMatch: call.ifMatch, request: call.key,
            alongside: { [audit] in try call.context.audit?.record(values: call.bytes, to: audit, in: $0) }
        ).response
    }

    func refund(_ call: Call<RefundOrderRequest>) async throws -> Response {
        try await checkouts.refund(
            orderId: try await store.read { try id(in: call, $0) }, call.input.scope(), reason: call.input.reason,
            by: call.principal,
            ifMatch: call.ifMatch, request: call.requiredKey,
            alongside: { [audit] in try call.context.audit?.record(values: call.bytes, to: audit, in: $0) }
        ).response
    }

    func addNote(_ call: Call<OrderNoteRequest>, in repositories: any Repositories) throws -> Reply<OrderNote> {
        Reply(
            try administration.addNote(
                call.input.text, to: id(in: call, repositories), by: call.principal, in: repositories))
    }

    func packingSlip(_ call: Call<Void>) async throws -> Response {
        let reference = try call.parameter("id")
        let order = try await store.read { repositories in
            try call.principal.checkSession(in: repositories)
            return try repositories.orders.order(of: reference).order
        }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: PackingSlip(order, timeZone: timeZone).text)))
    }
}

extension RefundOrderRequest {
    /// - Throws: `DomainError.invalid`.
    fileprivate func scope() throws(DomainError) -> RefundScope {
        switch (amount, lines) {
        case (nil, nil): .rest
        case (let amount?, nil): .amount(amount)
        case (nil, let lines?): .lines(lines.map { .init(sku: $0.sku, quantity: $0.quantity) })
        case (.some, .some):
            throw .invalid([InvalidField("lines", .invalid, "Send either an amount or lines, not both.")])
        }
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension ShopRouter {
    /// The orders of all customers, for the staff. A path identifies an order by its id or number.
    static func addManagedOrders(to routes: RouteRegistrar, _ services: ShopServices) {
        let administration = ShopAdministration(services.environment)
        let (store, checkouts, steps) = (services.store, services.checkout, routes.steps)
        /// The id of the order that a request changes.
        @Sendable func id<Input>(in call: Call<Input>, _ repositories: any Repositories) throws -> String {
            let id = try repositories.orders.id(of: call.parameter("id"))
            call.changes(id: id)
            return id
        }

        routes(Contract.allOrders).list("all-orders", by: \.id) { call, page, repositories in
            try repositories.orders.orders(matching: call.input.search, after: page.after, limit: page.limit)
                .map(\.order)
        }
        routes(Contract.managedOrder).read { call, repositories in
            let (order, version) = try administration.managedOrder(call.parameter("id"), in: repositories)
            return Reply(order, etag: String(version))
        }
        routes(Contract.updateOrder).write { call, repositories in
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
            let (before, after) = try administration.track(
                reference, tracking, ifMatch: call.ifMatch, in: repositories)
            if let old = before.tracking { call.replaced(old) }
            return Reply(order: after)
        }
        routes(Contract.fulfilOrder).write { call, repositories in
            Reply(
                order: try administration.fulfil(
                    orderId: id(in: call, repositories), tracking: call.input.tracking, ifMatch: call.ifMatch,
                    in: repositories))
        }
        routes(Contract.deliverOrder).write { call, repositories in
            Reply(
                order: try administration.deliver(
                    orderId: id(in: call, repositories), ifMatch: call.ifMatch, in: repositories))
        }
        routes(Contract.cancelManagedOrder).perform { call -> Response in
            let orderId = try await store.read { repositories in
                // A key has no password to confirm, so its scope alone decides whether it may refund.
                if call.principal.credential == .apiKey {
                    try call.principal.checkKey(for: .refundOrders, in: repositories)
                }
                return try id(in: call, repositories)
            }
            return try await checkouts.cancel(
                orderId: orderId, of: call.principal, isStaff: true, ifMatch: call.ifMatch, request: call.key,
                alongside: { try steps.record(call, in: $0) }
            ).response
        }
        routes(Contract.refundOrder).perform { call -> Response in
            try await checkouts.refund(
                orderId: try await store.read { try id(in: call, $0) }, call.input.scope(), reason: call.input.reason,
                by: call.principal, ifMatch: call.ifMatch, request: call.requiredKey,
                alongside: { try steps.record(call, in: $0) }
            ).response
        }
        routes(Contract.addOrderNote).write { call, repositories in
            try administration.addNote(
                call.input.text, to: id(in: call, repositories), by: call.principal, in: repositories)
        }
        routes(Contract.packingSlip).read { call, repositories in
            try repositories.orders.order(of: call.parameter("id")).order
        } response: { [timeZone = services.environment.shop.timeZone] order in
            Response(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: PackingSlip(order: order, timeZone: timeZone).text)))
        }
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
            throw .invalid("lines", .invalid, "Send either an amount or lines, not both.")
        }
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire
import ServiceLifecycle

/// A ride as it goes on, in server-sent events.
struct RideEventRoute {
    let services: ShopServices

    func register(with routes: RouteRegistrar) {
        routes.stream(Contract.rideEvents) { call, principal in
            let lastId = try Self.lastId(call.request)
            let id = try call.parameter("id")
            let ride = try await services.store.read { try services.rides.ride(id: id, of: principal, in: $0) }
            let events = RideEvents(after: lastId)
            guard !events.isOver(ride) else { return Response(status: .noContent) }
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: .init { writer in
                    // The server waits for all answers before anything else is shut down.
                    try await withGracefulShutdownHandler {
                        try await write(events, of: ride, for: principal, to: &writer)
                        try await writer.finish(nil)
                    } onGracefulShutdown: {
                        Task { await services.rideFeed.close() }
                    }
                })
        }
    }

    private func write(
        _ events: RideEvents, of ride: RideRecord, for principal: Principal, to writer: inout any ResponseBodyWriter
    ) async throws {
        var events = events
        let heartbeat = services.rideFeed.heartbeat
        var (lastWrite, lastCheck) = (ContinuousClock.now, ContinuousClock.now)
        for await _ in await services.rideFeed.follow(ride) {
            guard let ride = await services.rideFeed.ride(id: ride.id) else { return }
            if lastCheck.duration(to: .now) >= heartbeat {
                // Whoever signs out is not told anything more, however much there is to tell.
                do {
                    try await services.store.read { try principal.checkSession(in: $0) }
                } catch DomainError.unauthenticated {
                    return
                }
                lastCheck = .now
            }
            if let news = try events.next(ride, at: services.time.now) {
                try await writer.write(news)
                lastWrite = .now
                if events.isOver(ride) { return }
            } else if lastWrite.duration(to: .now) >= heartbeat {
                try await writer.write(ByteBuffer(string: ":\n\n"))
                lastWrite = .now
            }
        }
    }

    /// - Throws: `RequestProblem` for an id that this server does not give.
    private static func lastId(_ request: Request) throws -> Int? {
        guard let text = request.headers[.lastEventId], !text.isEmpty else { return nil }
        guard let id = Int(text), id >= 1 else {
            throw RequestProblem(.invalidHeader, "Last-Event-ID must be the id of an event of this ride.")
        }
        return id
    }
}

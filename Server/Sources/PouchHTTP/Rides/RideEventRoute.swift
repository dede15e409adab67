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
    /// How often it is looked whether the other end still takes what it is told.
    private static let patience = TimeAmount.seconds(5)

    let services: ShopServices

    func register(with routes: RouteRegistrar) {
        routes.stream(Contract.rideEvents) { call, principal in
            let cursor = RideCursor(statuses: try Self.lastId(call.request))
            let id = try call.parameter("id")
            let ride = try await services.store.read { try services.rides.ride(id: id, of: principal, in: $0) }
            guard !cursor.isAtEnd(of: ride) else { return Response(status: .noContent) }
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: .init { writer in
                    let watch = Self.closingUnread(call.context.channel)
                    defer { watch.cancel() }
                    // The server waits for all answers before anything else is shut down.
                    try await withGracefulShutdownHandler {
                        try await write(ride, after: cursor, for: principal, to: &writer)
                        try await writer.finish(nil)
                    } onGracefulShutdown: {
                        Task { await services.rideFeed.close() }
                    }
                })
        }
    }

    /// Writing to a listener that has stopped to read waits for ever, whether its session or this server ends. So its
    /// connection is closed, once there is more to send than the system and NIO take: hundreds of events.
    private static func closingUnread(_ channel: any Channel) -> RepeatedTask {
        channel.eventLoop.scheduleRepeatedTask(initialDelay: patience, delay: patience) { _ in
            if !channel.isWritable { channel.close(promise: nil) }
        }
    }

    private func write(
        _ ride: RideRecord, after cursor: RideCursor, for principal: Principal, to writer: inout any ResponseBodyWriter
    ) async throws {
        var cursor = cursor
        for await _ in await services.rideFeed.follow(ride) {
            guard let news = try await services.rideFeed.news(of: ride.id, after: cursor) else { return }
            // The comment tells both sides that the other is there. Whoever has signed out is not told anything more.
            if news.isBeat {
                do {
                    try await services.store.read { try principal.checkSession(in: $0) }
                } catch DomainError.unauthenticated {
                    return
                }
                try await writer.write(ByteBuffer(string: ":\n\n"))
            }
            for event in news.events { try await writer.write(ByteBuffer(bytes: event)) }
            if news.isLast { return }
            cursor = news.cursor
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

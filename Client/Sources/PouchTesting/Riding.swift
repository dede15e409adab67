import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchNetwork
import PouchWire

extension TestShop.World {
    // MARK: Rides

    mutating func rideAnswer(_ call: TestCall) throws(Refusal) -> NetworkResponse? {
        switch call.endpoint {
        case Contract.ridePlaces:
            let query = try call.query(RidePlacesQuery.self)
            let search = (query.search ?? "").lowercased()
            let found = places.filter { search.isEmpty || $0.name.lowercased().contains(search) }
            return try call.page(of: found, query.page, by: \.name)
        case Contract.rideOptions:
            return try call.page(of: rideOptions, call.query(RideOptionsQuery.self).page, by: \.id)
        case Contract.quoteRide:
            try check(call.body(Contract.quoteRide).waypoints)
            return .json(Page(items: rideOptions.map { FareQuote.sample(rideOptionID: $0.id) }))
        case Contract.rides:
            return try call.page(of: rides[call.owner] ?? [], call.query(PageQuery.self), most: pageSize, by: \.id)
        case Contract.requestRide: return .json(try requestRide(call), status: Contract.requestRide.status)
        case Contract.ride, Contract.cancelRide, Contract.rideReceipt: return try knownRideAnswer(call)
        default: return nil
        }
    }

    private mutating func requestRide(_ call: TestCall) throws(Refusal) -> Ride {
        let wanted = try call.body(Contract.requestRide)
        try check(wanted.waypoints)
        guard rideOptions.contains(where: { $0.id == wanted.rideOptionID }) else {
            throw Refusal("rideOptionID", "invalid", "There is no ride option with this ID.")
        }
        let quote = FareQuote.sample(rideOptionID: wanted.rideOptionID)
        guard wanted.quoteID == nil || wanted.quoteID == quote.id else { throw Refusal(.quoteMismatch) }
        guard rides[call.owner]?.contains(where: { !$0.status.isFinal }) != true else { throw Refusal(.rideInProgress) }
        let ride = Ride.sample(
            .requested, id: newId("rid_", besides: rides.values.joined().map(\.id)),
            waypoints: wanted.waypoints, rideOptionID: wanted.rideOptionID)
        rides[call.owner, default: []].insert(ride, at: 0)
        effects.append("ride \(ride.id)")
        return ride
    }

    private func check(_ waypoints: RideWaypoints) throws(Refusal) {
        let (pickup, dropoff) = ("waypoints.pickupLocation", "waypoints.dropoffLocation")
        var problems =
            FieldProblem.point(pickup, waypoints.pickupLocation)
            + FieldProblem.point(dropoff, waypoints.dropoffLocation)
        if waypoints.pickupLocation == waypoints.dropoffLocation {
            let detail = "The drop-off must differ from the pick-up."
            problems.append(FieldProblem(field: dropoff, code: "invalid", detail: detail))
        }
        try problems.check()
    }

    func ride(_ id: Ride.ID, of owner: String) throws(Refusal) -> Ride {
        guard let ride = rides[owner]?.first(where: { $0.id == id }) else { throw Refusal(.notFound) }
        return ride
    }

    /// The connection for the events of a ride.
    func connect(_ call: TestCall, _ streams: RideStreams) -> StreamedResponse {
        do throws(Refusal) {
            let owner = call.token.flatMap(session)?.owner ?? ""
            return streams.connect(call.request, to: try ride(call.parameter, of: owner))
        } catch {
            return StreamedResponse(error.answer)
        }
    }

    private mutating func knownRideAnswer(_ call: TestCall) throws(Refusal) -> NetworkResponse {
        let ride = try ride(call.parameter, of: call.owner)
        switch call.endpoint {
        case Contract.cancelRide:
            guard ride.status.isCancellable else { throw Refusal(.notCancellable) }
            let cancelled = ride.next(.cancelledByRider)
            replace(cancelled)
            effects.append("cancel \(ride.id)")
            return .json(cancelled)
        case Contract.rideReceipt:
            guard ride.status == .completed else { throw Refusal(.rideNotCompleted) }
            return .json(RideReceipt.sample(of: ride))
        default: return .json(ride)
        }
    }

    fileprivate mutating func replace(_ ride: Ride) {
        for owner in rides.keys {
            guard let index = rides[owner]?.firstIndex(where: { $0.id == ride.id }) else { continue }
            rides[owner]?[index] = ride
        }
    }
}

extension TestShop {
    /// Adds a ride, or replaces the one with its id. Unlike `advance`, it does not notify followers.
    ///
    /// - Parameters:
    ///   - ride: a ride with a new id, or with that of the ride to replace.
    ///   - owner: the account's id; by default that of the sample account.
    public func put(_ ride: Ride, of owner: String = Profile.sample().id) {
        change { world in
            world.rides[owner, default: []].removeAll { $0.id == ride.id }
            world.rides[owner, default: []].insert(ride, at: 0)
        }
    }

    /// Moves a ride to its next status, and sends the change to its followers.
    ///
    /// - Returns: the ride; nil if the shop does not have it.
    @discardableResult
    public func advance(_ id: Ride.ID, to status: RideStatus) -> Ride? {
        var changed: Ride?
        // In one step, so that a connection that starts at the same time receives the status once.
        change { world in
            guard let ride = world.rides.values.joined().first(where: { $0.id == id })?.next(status) else { return }
            world.replace(ride)
            for stream in streams.open(of: id) { stream.send(status: ride) }
            changed = ride
        }
        return changed
    }

    /// All connections for the events of rides so far.
    public var rideStreams: [RideStream] { streams.all }

    /// Waits for a connection for the events of rides.
    ///
    /// - Parameter index: counted from 0, in the order of the connections.
    /// - Throws: `CancellationError` if the test is cancelled, for example by its time limit.
    public func rideStream(_ index: Int = 0) async throws -> RideStream { try await streams.stream(index) }
}

/// A connection for the events of a ride, to which a test can send events, and which it can cut.
public final class RideStream: Sendable {
    public let request: NetworkRequest
    private let pieces: AsyncStream<Data>.Continuation
    private let ended = Gate()

    fileprivate init(_ request: NetworkRequest, _ pieces: AsyncStream<Data>.Continuation) {
        self.request = request
        self.pieces = pieces
        pieces.onTermination = { [weak self] _ in self?.ended.open() }
    }

    public var hasEnded: Bool { ended.isOpen }

    /// Waits until the client stops reading or the test cuts the connection, or the task is cancelled.
    public func waitForEnd() async { await ended.pass() }

    /// Sends bytes as they are.
    public func send(_ text: String) { pieces.yield(Data(text.utf8)) }

    /// Sends the ride's status, as the event with the number of its statuses.
    public func send(status ride: Ride) {
        send(
            number: ride.history.count,
            RideUpdate(status: ride.status, driver: ride.driver, etaSeconds: ride.etaSeconds, history: ride.history))
    }

    /// Sends the statuses after a number of them, as the server does on a connection; without a number, the current
    /// one. Only the current driver is known.
    fileprivate func send(_ ride: Ride, after seen: Int?) {
        let count = ride.history.count
        for number in (seen ?? max(0, count - 1))..<max(seen ?? 0, count) {
            let isLast = number + 1 == count
            send(
                number: number + 1,
                RideUpdate(
                    status: ride.history[number].status, driver: isLast ? ride.driver : nil,
                    etaSeconds: isLast ? ride.etaSeconds : nil, history: Array(ride.history.prefix(number + 1))))
        }
    }

    private func send(number: Int, _ update: RideUpdate) {
        send("event: status\nid: \(number)\ndata: \(Self.json(update))\n\n")
    }

    /// Sends the location of the ride's driver.
    public func send(position ride: Ride) {
        send("event: position\ndata: \(Self.json(RideUpdate(driver: ride.driver, etaSeconds: ride.etaSeconds)))\n\n")
    }

    public func cut() { pieces.finish() }

    private static func json(_ value: some JSONCodable) -> String {
        String(decoding: (try? value.json()) ?? Data(), as: UTF8.self)
    }
}

/// The connections of a shop for events.
final class RideStreams: Sendable {
    private let streams = Counted<[RideStream]>([]) { $0.count }

    var all: [RideStream] { streams.value }

    func open(of id: Ride.ID) -> [RideStream] {
        all.filter { !$0.hasEnded && $0.request.url.pathComponents.contains(id) }
    }

    /// - Parameter ride: the current ride, whose unseen statuses are sent to the client.
    func connect(_ request: NetworkRequest, to ride: Ride) -> StreamedResponse {
        let seen = request.headers[HeaderName.lastEventId].flatMap(Int.init)
        if ride.status.isFinal, ride.status != .cancelledByDriver, seen == ride.history.count {
            return StreamedResponse(NetworkResponse(status: 204))
        }
        let (bytes, pieces) = AsyncStream.makeStream(of: Data.self)
        let reader = PieceReader(bytes)
        let stream = RideStream(request, pieces)
        streams.change { $0.append(stream) }
        stream.send(ride, after: seen)
        return StreamedResponse(
            status: 200, headers: ["Content-Type": "text/event-stream"],
            body: NetworkBody { () throws(NetworkError) in await reader.next() })
    }

    func stream(_ index: Int) async throws -> RideStream {
        await streams.reaches(index + 1)
        guard let stream = all.dropFirst(index).first else { throw CancellationError() }
        return stream
    }
}

private actor PieceReader {
    private let stream: AsyncStream<Data>

    init(_ stream: AsyncStream<Data>) {
        self.stream = stream
    }

    func next() async -> Data? {
        await stream.first { _ in true }
    }
}

import Foundation
import PouchContract
import PouchService
import PouchWire

/// Turns the service's raw data into the model and back, with one method for each endpoint.
///
/// Holds no instance and gives them no meaning: that is for the managers.
public struct DataManager: Sendable {
    /// nil for a shop that is a feed.
    let service: PouchService?
    let feed: FeedSource?
    let assets: AssetService?
    /// Where catalogue, carts, orders and pending writes are kept.
    public let store: any LocalStore
    let now: @Sendable () -> Date
    let makeKey: @Sendable () -> String
    let reportRow: @Sendable (RowReport) -> Void
    public let meter: WorkMeter
    let contact = ContactObserver()

    /// - Parameters:
    ///   - assets: brings images; without it they are `.notOffered`.
    ///   - store: where catalogue, carts, orders and pending writes are kept.
    ///   - reportRow: told of each row of a list that could not be read, and was left out.
    ///   - meter: told how long decoding and converting take.
    ///   - now: the time of day, which tells when a pending write is too old to be sent again.
    ///   - makeKey: makes idempotency keys.
    public init(
        service: PouchService,
        assets: AssetService? = nil,
        store: any LocalStore = MemoryStore(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in },
        meter: WorkMeter = WorkMeter(),
        now: @escaping @Sendable () -> Date = { Date() },
        makeKey: @escaping @Sendable () -> String = { UUID().uuidString }
    ) {
        self.service = service
        feed = nil
        self.assets = assets
        self.store = store
        self.now = now
        self.makeKey = makeKey
        self.reportRow = reportRow
        self.meter = meter
    }

    /// A shop that is a feed: its catalogue can be read, and all else is `.notOffered`.
    public init(
        feed: FeedService,
        settings: FeedSettings = FeedSettings(),
        assets: AssetService? = nil,
        store: any LocalStore = MemoryStore(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in },
        meter: WorkMeter = WorkMeter()
    ) {
        service = nil
        self.feed = FeedSource(service: feed, settings: settings)
        self.assets = assets
        self.store = store
        now = { Date() }
        makeKey = { UUID().uuidString }
        self.reportRow = reportRow
        self.meter = meter
    }

    /// Sets who is told at the end of each call whether the server answered; not told where that is not known, as of a
    /// call that was cancelled.
    public func onContact(_ handler: @escaping @Sendable (_ answered: Bool) -> Void) {
        contact.set(handler)
    }

    func perform<Answer: Decodable>(
        _ exchange: Exchange<NoBody, Answer>, _ path: Path, _ options: CallOptions = CallOptions()
    ) async throws(DataError) -> Answer {
        try decode(Answer.self, from: try await answer(to: exchange.endpoint, path, options))
    }

    func perform<Body: Encodable, Answer: Decodable>(
        _ exchange: Exchange<Body, Answer>,
        sending body: Body,
        _ options: CallOptions = CallOptions(),
        path: (Data) -> Path
    ) async throws(DataError) -> Answer {
        try decode(Answer.self, from: try await answer(to: exchange.endpoint, path(try encode(body)), options))
    }

    func perform(_ exchange: Exchange<NoBody, NoContent>, _ path: Path) async throws(DataError) {
        _ = try await answer(to: exchange.endpoint, path)
    }

    func perform<Body: Encodable>(
        _ exchange: Exchange<Body, NoContent>, sending body: Body, path: (Data) -> Path
    ) async throws(DataError) {
        _ = try await answer(to: exchange.endpoint, path(try encode(body)))
    }

    func answer(
        to endpoint: Endpoint, _ path: Path, _ options: CallOptions = CallOptions(),
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(DataError) -> ServiceAnswer {
        assert(path.endpoint == endpoint, "\(path.endpoint.name) was asked for with the types of \(endpoint.name)")
        guard let service else { throw DataError(.notOffered, log: endpoint.name) }
        return try await tellingContact { () throws(ServiceError) in
            try await service.call(path, options, onProgress: onProgress)
        }
    }

    /// Makes a call to the shop, and tells whether it answered.
    func tellingContact(
        _ call: () async throws(ServiceError) -> ServiceAnswer
    ) async throws(DataError) -> ServiceAnswer {
        do throws(ServiceError) {
            let answer = try await call()
            if let answered = answer.isAnswer { contact.tell(answered) }
            return answer
        } catch {
            if let answered = error.isAnswer { contact.tell(answered) }
            throw DataError(error)
        }
    }

    func stored<Value>(_ work: () async throws(StoreError) -> Value) async throws(DataError) -> Value {
        do throws(StoreError) {
            return try await work()
        } catch {
            throw DataError(error)
        }
    }

    func mappingErrors<Value>(
        _ work: () async throws(ServiceError) -> Value
    ) async throws(DataError) -> Value {
        do throws(ServiceError) {
            return try await work()
        } catch {
            throw DataError(error)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, from answer: ServiceAnswer) throws(DataError) -> Value {
        do {
            return try WireJSON.decode(type, from: answer.data)
        } catch {
            throw DataError(
                .unreadableAnswer,
                requestId: answer.requestId,
                log: "\(type) with status \(answer.status): \(RowReport.reason(error))"
            )
        }
    }

    func encode(_ body: some Encodable) throws(DataError) -> Data {
        do {
            return try WireJSON.encode(body)
        } catch {
            throw DataError(.unexpected(code: nil), log: "cannot encode the request: \(RowReport.reason(error))")
        }
    }
}

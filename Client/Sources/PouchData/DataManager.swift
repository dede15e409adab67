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
    let reportRow: @Sendable (RowReport) -> Void
    public let meter: WorkMeter

    /// - Parameters:
    ///   - assets: brings images; without it they are `.notOffered`.
    ///   - reportRow: told of each row of a list that could not be read, and was left out.
    ///   - meter: told how long decoding and converting take.
    public init(
        service: PouchService,
        assets: AssetService? = nil,
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in },
        meter: WorkMeter = WorkMeter()
    ) {
        self.service = service
        feed = nil
        self.assets = assets
        self.reportRow = reportRow
        self.meter = meter
    }

    /// A shop that is a feed: its catalogue can be read, and all else is `.notOffered`.
    public init(
        feed: FeedService,
        settings: FeedSettings = FeedSettings(),
        assets: AssetService? = nil,
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in },
        meter: WorkMeter = WorkMeter()
    ) {
        service = nil
        self.feed = FeedSource(service: feed, settings: settings)
        self.assets = assets
        self.reportRow = reportRow
        self.meter = meter
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
        return try await mappingErrors { () throws(ServiceError) in
            try await service.call(path, options, onProgress: onProgress)
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

    private func encode(_ body: some Encodable) throws(DataError) -> Data {
        do {
            return try WireJSON.encode(body)
        } catch {
            throw DataError(.unexpected(code: nil), log: "cannot encode the request: \(RowReport.reason(error))")
        }
    }
}

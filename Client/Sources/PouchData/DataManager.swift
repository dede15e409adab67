import Foundation
import PouchContract
import PouchService
import PouchWire

/// Turns the service's raw data into the model and back, with one method for each endpoint.
///
/// Holds no instance and gives them no meaning: that is for the managers.
public struct DataManager: Sendable {
    let service: PouchService
    let store: any LocalStore
    let reportRow: @Sendable (RowReport) -> Void
    let now: @Sendable () -> Date
    let makeKey: @Sendable () -> String
    private let contact = ContactObserver()

    /// - Parameters:
    ///   - store: where catalogue, carts, orders and pending writes are kept.
    ///   - reportRow: told of each row of a list that could not be read, and was left out.
    ///   - now: the time of day, which tells when a pending write is too old to be sent again.
    ///   - makeKey: makes idempotency keys.
    public init(
        service: PouchService,
        store: any LocalStore = MemoryStore(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() },
        makeKey: @escaping @Sendable () -> String = { UUID().uuidString }
    ) {
        self.service = service
        self.store = store
        self.reportRow = reportRow
        self.now = now
        self.makeKey = makeKey
    }

    /// Sets who is told at the end of each call whether the server answered; not told where that is not known, as of a
    /// call that was cancelled.
    public func onContact(_ handler: @escaping @Sendable (_ answered: Bool) -> Void) {
        contact.set(handler)
    }

    func perform<Answer: Decodable>(
        _ exchange: Exchange<NoBody, Answer>, _ path: Path
    ) async throws(DataError) -> Answer {
        try decode(Answer.self, from: try await answer(to: exchange.endpoint, path))
    }

    func perform<Body: Encodable, Answer: Decodable>(
        _ exchange: Exchange<Body, Answer>,
        sending body: Body,
        path: (Data) -> Path
    ) async throws(DataError) -> Answer {
        try decode(Answer.self, from: try await answer(to: exchange.endpoint, path(try encode(body))))
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
        do throws(ServiceError) {
            let answer = try await service.call(path, options, onProgress: onProgress)
            contact.tell(true)
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

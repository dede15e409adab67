import Foundation
import PouchContract
import PouchService
import PouchWire

/// Calls to the server, with the types that the contract gives their bodies and answers.
extension DataManager {
    func perform<Answer: Decodable>(
        _ exchange: Exchange<NoBody, Answer>, _ path: Path, _ options: CallOptions = CallOptions()
    ) async throws(DataError) -> Answer {
        try decode(Answer.self, from: try await answer(to: path, options))
    }

    func perform<Body: Encodable, Answer: Decodable>(
        _ exchange: Exchange<Body, Answer>,
        sending body: Body,
        _ options: CallOptions = CallOptions(),
        path: (Data) -> Path
    ) async throws(DataError) -> Answer {
        try decode(Answer.self, from: try await answer(to: path(try encode(body)), options))
    }

    func perform(_ exchange: Exchange<NoBody, NoContent>, _ path: Path) async throws(DataError) {
        _ = try await answer(to: path)
    }

    func perform<Body: Encodable>(
        _ exchange: Exchange<Body, NoContent>, sending body: Body, path: (Data) -> Path
    ) async throws(DataError) {
        _ = try await answer(to: path(try encode(body)))
    }

    func answer(
        to path: Path, _ options: CallOptions = CallOptions(),
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(DataError) -> ServiceAnswer {
        guard let service else { throw DataError(.notOffered, log: path.endpoint.name) }
        return try await reportingContact(await service.call(path, options, onProgress: onProgress))
    }

    /// Succeeds when the server is up and can do its work.
    public func healthReady() async throws(DataError) {
        _ = try await answer(to: .system(.healthReady))
    }

    // MARK: Errors

    /// Reports whether the shop's server answered the call.
    func reportingContact(
        _ call: @autoclosure () async throws(ServiceError) -> ServiceAnswer
    ) async throws(DataError) -> ServiceAnswer {
        do throws(ServiceError) {
            let answer = try await call()
            reportContact(answer.serverAnswered)
            return answer
        } catch {
            reportContact(error.serverAnswered)
            throw DataError(error)
        }
    }

    func mappingServiceErrors<Value>(
        _ call: @autoclosure () async throws(ServiceError) -> Value
    ) async throws(DataError) -> Value {
        do throws(ServiceError) {
            return try await call()
        } catch {
            throw DataError(error)
        }
    }

    package func mappingStoreErrors<Value>(
        _ call: @autoclosure () async throws(StoreError) -> Value
    ) async throws(DataError) -> Value {
        do throws(StoreError) {
            return try await call()
        } catch {
            throw DataError(error)
        }
    }

    // MARK: JSON

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

extension ServiceAnswer {
    /// nil where the server was not asked.
    var serverAnswered: Bool? { staleness.map(\.cause.serverAnswered) ?? (isFromCache ? nil : true) }
}

extension ServiceError {
    /// nil where the error does not show it.
    var serverAnswered: Bool? {
        switch reason {
        case .unreachable, .timedOut: false
        // A gateway in between answers that the server is away.
        case _ where problem == nil && [502, 503, 504].contains(status): false
        default: status == nil ? nil : true
        }
    }
}

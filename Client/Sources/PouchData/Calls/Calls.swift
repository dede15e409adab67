import Foundation
import PouchContract
import PouchJSON
import PouchService
import PouchWire

/// Calls to the server, with the types that the contract gives their bodies and answers.
extension DataManager {
    func perform<Answer: JSONCodable>(
        _ exchange: Exchange<NoBody, Answer>, _ path: Path, _ options: CallOptions = CallOptions()
    ) async throws(DataError) -> Answer {
        try decode(Answer.self, from: try await answer(to: path, options))
    }

    func perform<Body: JSONCodable, Answer: JSONCodable>(
        _ exchange: Exchange<Body, Answer>,
        sending body: Body,
        _ options: CallOptions = CallOptions(),
        path: (Data) -> Path
    ) async throws(DataError) -> Answer {
        try decode(Answer.self, from: try await answer(to: path(try encode(body)), options))
    }

    func perform(_ exchange: Exchange<NoBody, NoContent>, _ path: Path) async throws(DataError) {
        try expect(exchange.status, of: try await answer(to: path))
    }

    func perform<Body: JSONCodable>(
        _ exchange: Exchange<Body, NoContent>, sending body: Body, path: (Data) -> Path
    ) async throws(DataError) {
        try expect(exchange.status, of: try await answer(to: path(try encode(body))))
    }

    /// Checks an answer without a body, which any program could give.
    private func expect(_ status: Int, of answer: ServiceAnswer) throws(DataError) {
        guard answer.status != status else { return }
        throw DataError(.unreadableAnswer, requestId: answer.requestId, log: "status \(answer.status)")
    }

    func answer(
        to path: Path, _ options: CallOptions = CallOptions(),
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(DataError) -> ServiceAnswer {
        guard let service else { throw DataError(.notOffered, log: path.endpoint.name) }
        return try await contact.reporting(await service.call(path, options, onProgress: onProgress))
    }

    /// Downloads an answer to a file, which appears complete or not at all.
    func download(_ path: Path, to file: URL) async throws(DataError) {
        guard let service else { throw DataError(.notOffered, log: path.endpoint.name) }
        do throws(ServiceError) {
            try await service.download(path, to: file)
            contact.report(true)
        } catch {
            contact.report(error.serverAnswered)
            throw DataError(error)
        }
    }

    /// Succeeds when the server is up and can do its work.
    public func healthReady() async throws(DataError) {
        _ = try await perform(Contract.healthReady, .system(.healthReady))
    }

    // MARK: JSON

    func decode<Value: JSONCodable>(_ type: Value.Type, from answer: ServiceAnswer) throws(DataError) -> Value {
        do throws(JSONError) {
            return try Value(json: answer.data)
        } catch {
            throw DataError(
                .unreadableAnswer,
                requestId: answer.requestId,
                log: "\(type) with status \(answer.status): \(RowReport.reason(error))"
            )
        }
    }

    func encode(_ body: some JSONCodable) throws(DataError) -> Data {
        do {
            return try body.json()
        } catch {
            throw DataError(.unexpected(code: nil), log: "The request has a number that JSON cannot hold.")
        }
    }
}

import Foundation
import PouchContract
import PouchJSON
import PouchService
import PouchWire

/// Calls to the server, with the types of the contract. The values of the path's parameters follow the exchange, in
/// order.
extension DataManager {
    func perform<Answer: JSONCodable>(
        _ exchange: Exchange<NoInput, Answer>, _ parameters: String..., options: CallOptions = CallOptions()
    ) async throws(DataError) -> Answer {
        try decode(Answer.self, from: try await answer(to: EndpointCall(exchange.endpoint, parameters), options))
    }

    func perform(_ exchange: Exchange<NoInput, NoContent>, _ parameters: String...) async throws(DataError) {
        _ = try await answer(to: EndpointCall(exchange.endpoint, parameters))
    }

    func perform<Query: QueryType, Answer: JSONCodable>(
        _ exchange: Exchange<Query, Answer>, query: Query
    ) async throws(DataError) -> Answer {
        let call = EndpointCall(exchange.endpoint, query: query.queryString)
        return try decode(Answer.self, from: try await answer(to: call))
    }

    func perform<Body: JSONCodable, Answer: JSONCodable>(
        _ exchange: Exchange<Body, Answer>, _ parameters: String..., sending body: Body,
        options: CallOptions = CallOptions()
    ) async throws(DataError) -> Answer {
        let call = EndpointCall(exchange.endpoint, parameters, body: try encode(body))
        return try decode(Answer.self, from: try await answer(to: call, options))
    }

    func perform<Body: JSONCodable>(
        _ exchange: Exchange<Body, NoContent>, _ parameters: String..., sending body: Body
    ) async throws(DataError) {
        _ = try await answer(to: EndpointCall(exchange.endpoint, parameters, body: try encode(body)))
    }

    func answer(
        to call: EndpointCall, _ options: CallOptions = CallOptions(), upload: CallUpload? = nil
    ) async throws(DataError) -> ServiceAnswer {
        guard let service else { throw DataError(.notOffered, log: call.endpoint.name) }
        return try await contact.reporting(await service.call(call, options, upload: upload))
    }

    /// Downloads a response to a file, which is created complete or not at all.
    func download(_ call: EndpointCall, to file: URL) async throws(DataError) {
        guard let service else { throw DataError(.notOffered, log: call.endpoint.name) }
        try await contact.reporting(await service.download(call, to: file)) { _ in true }
    }

    /// Succeeds if the server is running and ready.
    public func healthReady() async throws(DataError) {
        _ = try await perform(Contract.healthReady)
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

/// Reports whether the shop responded, from the outcomes of calls.
final class ContactReporter: Sendable {
    private let slot = HandlerSlot<@Sendable (_ answered: Bool) -> Void>()

    /// A later handler replaces an earlier one.
    func onContact(_ handler: @escaping @Sendable (_ answered: Bool) -> Void) {
        slot.set(handler)
    }

    /// - Parameter answered: nil if unknown.
    func report(_ answered: Bool?) {
        if let answered { slot.handler?(answered) }
    }

    /// Makes a call, and reports whether the shop answered it.
    func reporting(
        _ call: @autoclosure () async throws(ServiceError) -> ServiceAnswer
    ) async throws(DataError) -> ServiceAnswer {
        try await reporting(try await call()) { $0.serverAnswered }
    }

    /// - Parameter answered: whether a result is the shop's answer; nil if unknown.
    func reporting<Value>(
        _ call: @autoclosure () async throws(ServiceError) -> Value, answered: (Value) -> Bool?
    ) async throws(DataError) -> Value {
        do throws(ServiceError) {
            let value = try await call()
            report(answered(value))
            return value
        } catch {
            report(error.serverAnswered)
            throw DataError(error)
        }
    }
}

extension ServiceAnswer {
    /// nil if no request was sent.
    fileprivate var serverAnswered: Bool? { staleness.map(\.cause.serverAnswered) ?? (isFromCache ? nil : true) }
}

extension ServiceError {
    /// nil if the error does not show it.
    var serverAnswered: Bool? {
        switch reason {
        // An unreadable answer is that of another program.
        case .network(.unreachable), .network(.connectionLost), .network(.timedOut), .unreadable: false
        // A gateway before a server of plain files.
        case .refused where problem == nil && [502, 503, 504].contains(status): false
        default: status == nil ? nil : true
        }
    }
}

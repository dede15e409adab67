import Foundation
import Hummingbird
import Logging
import PouchContract
import PouchDomain
import PouchJSON
import PouchTelemetry
import PouchWire
import Synchronization

extension AuditLog {
    /// Counts a page of a list of persons that goes beyond the list's first page, whether the API or a page of the shop
    /// shows it. Pages of other lists are not counted.
    ///
    /// - Parameters:
    ///   - exchange: the list.
    ///   - request: the request, to the API or to the page.
    package func recordPage(
        of exchange: any AnyExchange, request: Request, by principal: Principal, from client: NetworkAddress?,
        in store: any ShopStore
    ) async throws {
        // The exports of persons have an entry for each request.
        guard exchange.features.contains(.readsPersons), exchange.answerType != RawBytes.self, request.goesThroughList
        else { return }
        let (endpoint, address) = (exchange.endpoint, client?.description)
        try await store.write(.readCommitted) { repositories in
            try recordReading(
                actor: principal.ownerId, endpoint.name, endpoint.template.path(), address: address, in: repositories)
        }
    }
}

extension Request {
    /// Whether the request may be one of many that together read a whole list: with a cursor, or with a period of time,
    /// since one period after the other leads through the list as well.
    fileprivate var goesThroughList: Bool {
        QueryString(parsing: uri.query ?? "")?.items.contains { ["cursor", "from", "until"].contains($0.name) } == true
    }
}

/// The audit log entry for one change by staff, before it is stored. The transaction of the change stores it; a
/// transaction that runs again stores it again.
///
/// Its object is the endpoint's path with the id of the changed object, even if the request used a handle, an order
/// number or percent escapes.
final class AuditNote: Sendable {
    private struct State {
        var replaced: Data?
        /// The path parameters.
        var parameters: [String: String]
        var isRecorded = false
    }

    private let actor: String
    private let action: String
    private let template: PathTemplate
    private let address: String?
    private let requestId: String
    private let query: String?
    private let state: Mutex<State>

    init(_ request: Request, _ endpoint: Endpoint, of principal: Principal, in context: PouchRequestContext) {
        actor = principal.ownerId
        action = endpoint.name
        template = endpoint.template
        let parameters = endpoint.template.parameters.map { name in
            let text = context.parameters.get(name) ?? ""
            return (name, text.removingPercentEncoding ?? text)
        }
        state = Mutex(State(parameters: Dictionary(parameters) { first, _ in first }))
        address = context.client?.description
        requestId = context.requestId
        query = request.uri.query
    }

    /// The JSON that was sent. Without a body, an object with the query parameters, such as the dry run of an import;
    /// empty without these, too.
    private func sent(_ values: Data) -> Data {
        guard values.isEmpty, let items = QueryString(parsing: query ?? "")?.items, !items.isEmpty else {
            return values
        }
        let members = Dictionary(items.map { ($0.name, JSON.string($0.value)) }) { first, _ in first }
        return (try? JSON.object(members).json()) ?? values
    }

    /// Whether the transaction of the change has stored the entry.
    var isRecorded: Bool { state.withLock { $0.isRecorded } }

    func noteReplaced(_ value: some JSONCodable) {
        let json = try? value.json()
        state.withLock { $0.replaced = json }
    }

    /// Records the id of the changed object, which the path may name differently.
    func noteId(_ id: String) {
        state.withLock { $0.parameters["id"] = id }
    }

    private var object: String { template.path(state.withLock { $0.parameters }) }

    /// Stores the entry.
    ///
    /// - Parameters:
    ///   - values: the JSON that was sent; empty without a body, so that the query replaces it.
    ///   - answer: the JSON of a new object, whose id becomes part of the entry.
    func record(values: Data, answer: Data? = nil, to log: AuditLog, in repositories: any Repositories) throws {
        let new = answer.flatMap { try? JSON(json: $0) }
        // A picture has the name of its file.
        let newId =
            new?["id"]?.string ?? new?["webhook"]?["id"]?.string
            ?? new?["url"]?.string?.split(separator: "/").last.map(String.init)
        let sent = sent(values)
        let replaced = state.withLock { state in
            state.isRecorded = true
            return state.replaced
        }
        let object = self.object
        try log.record(
            actor: actor, action: action, object: newId.map { "\(object)/\($0)" } ?? object, before: replaced,
            values: sent.isEmpty ? nil : sent, address: address, requestId: requestId, in: repositories)
    }

    /// Writes the same entry to the log.
    func log(values: Data, to logger: Logger) {
        var metadata: Logger.Metadata = ["actor": "\(actor)", "action": "\(action)", "object": "\(object)"]
        let sent = sent(values)
        if !sent.isEmpty { metadata["values"] = "\(Self.loggable(sent))" }
        if let replaced = state.withLock({ $0.replaced }) { metadata["replaced"] = "\(Self.loggable(replaced))" }
        logger.notice("administration", metadata: metadata)
    }

    /// The JSON in one line, without secrets and without characters that could control a terminal.
    private static func loggable(_ json: Data) -> String {
        let safe = (try? JSON(json: json)).flatMap { value in
            value.withoutSecrets == value ? nil : try? value.withoutSecrets.json()
        }
        return String(loggable: String(decoding: safe ?? json, as: UTF8.self), limit: 2_000)
    }
}

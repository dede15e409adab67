import HTTPTypes
import Hummingbird
import NIOCore
import PouchMail
import ServerTesting
import Synchronization
import Testing

/// A server that receives webhooks, and answers as a test wants.
final class Receiver: Sendable {
    struct Request: Sendable {
        let id: String
        let timestamp: String
        let signatures: [String]
        let body: Data

        var event: ShopEvent { get throws { try ShopEvent(json: body) } }
    }

    typealias Answer = @Sendable (Request) async throws -> Response

    private let state = Mutex<(requests: [Request], url: String)>(([], ""))
    private let answer: Mutex<Answer>

    private init(_ answer: @escaping Answer) {
        self.answer = Mutex(answer)
    }

    static func serve(
        _ answer: @escaping Answer = { _ in .status(204) }, _ body: @Sendable (Receiver) async throws -> Void
    ) async throws {
        let receiver = Receiver(answer)
        let router = Router()
        router.post("/**") { request, _ in try await receiver.receive(request) }
        try await withApplication(router) { url in
            receiver.state.withLock { $0.url = url + "/hook" }
            try await body(receiver)
        }
    }

    var requests: [Request] { state.withLock { $0.requests } }
    var url: String { state.withLock { $0.url } }

    func answers(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

    private func receive(_ request: Hummingbird.Request) async throws -> Response {
        func header(_ name: String) -> String { HTTPField.Name(name).flatMap { request.headers[$0] } ?? "" }
        let received = Request(
            id: header("webhook-id"), timestamp: header("webhook-timestamp"),
            signatures: header("webhook-signature").split(separator: " ").map(String.init),
            body: Data(try await request.body.collect(upTo: 1 << 20).readableBytesView))
        state.withLock { $0.requests.append(received) }
        return try await answer.withLock { $0 }(received)
    }
}

/// Runs each test with a receiver of its own: `Receiver.current`.
struct WithReceiver: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var receiver: Receiver?

    /// The tests of a suite share no receiver.
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Receiver.serve { receiver in
            try await Self.$receiver.withValue(receiver) { try await function() }
        }
    }
}

extension Trait where Self == WithReceiver {
    static var withReceiver: Self { Self() }
}

extension Receiver {
    static var current: Receiver {
        guard let receiver = WithReceiver.receiver else { preconditionFailure("The suite has no trait withReceiver.") }
        return receiver
    }
}

extension Response {
    static func status(_ code: Int, _ text: String = "") -> Response {
        Response(status: .init(code: code), body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

extension Trait where Self == InShop {
    /// A shop for each test that may send webhooks to this machine, and writes mails into the folder `mails`.
    static func inSendingShop(_ products: [FeedProduct] = .usual) -> Self {
        .inShop(products) { configuration in
            configuration.allowsPrivateWebhooks = true
            configuration.mail = try? .folder(configuration.dataFolder.appending(path: "mails"))
        }
    }
}

extension Caller {
    @discardableResult
    func change(_ webhook: String, _ patch: WebhookPatch) async throws -> Answered<WebhookEndpoint> {
        try await call(Contract.updateWebhook, patch, path: ["id": webhook])
    }

    func addWebhook(
        _ url: String, _ types: [EventType]? = nil, description: String? = nil
    ) async throws -> Answered<SecretWebhook> {
        try await call(Contract.addWebhook, WebhookInput(url: url, types: types, description: description))
    }

    func webhook(_ id: String) async throws -> WebhookEndpoint {
        try await call(Contract.webhook, path: ["id": id]).good()
    }

    func deliveries(_ webhook: String, query: String = "") async throws -> [WebhookDelivery] {
        try await call(Contract.webhookDeliveries, path: ["id": webhook], query: query).good().items
    }
}

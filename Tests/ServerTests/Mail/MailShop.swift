import ServerTesting
import Synchronization
import Testing

@testable import PouchMail

/// A transport that keeps the mails, and answers as the test says.
final class RecordingTransport: MailTransport {
    private let state = Mutex<(taken: [MailMessage], tried: Int, failures: [DeliveryError], finished: Int)>(
        ([], 0, [], 0))
    private let duringDelivery: @Sendable () async -> Void

    /// - Parameter duringDelivery: runs before a mail is taken.
    init(duringDelivery: @escaping @Sendable () async -> Void = {}) { self.duringDelivery = duringDelivery }

    var taken: [MailMessage] { state.withLock(\.taken) }
    var tried: Int { state.withLock(\.tried) }
    var finished: Int { state.withLock(\.finished) }

    /// Fails the next mails, one for each error.
    func fail(_ failures: DeliveryError...) { state.withLock { $0.failures += failures } }

    func deliver(_ message: MailMessage) async throws(DeliveryError) {
        await duringDelivery()
        let failure = state.withLock { state in
            state.tried += 1
            if !state.failures.isEmpty { return state.failures.removeFirst() as DeliveryError? }
            state.taken.append(message)
            return nil
        }
        if let failure { throw failure }
    }

    func finish() async { state.withLock { $0.finished += 1 } }
}

extension MailSettings {
    /// Mails of a test shop in a folder.
    static func folder(_ folder: URL) throws -> MailSettings {
        try MailSettings(
            destination: .folder(folder), from: #require(MailAddress("The Burrow <shop@example.com>")),
            publicURL: "https://shop.example.com", templates: MailTemplates())
    }
}

extension Trait where Self == InShop {
    /// A shop for each test that writes its mails into the folder `mails`.
    static var inMailShop: Self { .inShop(configure: TestShop.writesMails) }
}

extension TestShop {
    static let writesMails: @Sendable (inout ServerConfiguration) -> Void = { configuration in
        configuration.mail = try? .folder(configuration.dataFolder.appending(path: "mails"))
    }

    func mailWriter() throws -> MailWriter { try MailWriter(.folder(folder), timeZone: .gmt, token: signer.token) }

    /// A sender of this shop's mails besides the one that runs with it.
    func sender(_ transport: any MailTransport) throws -> MailSender {
        MailSender(environment, writer: try mailWriter(), transport: transport, logger: .silent)
    }

    @discardableResult
    func queue(
        _ kind: MailKind = .emailVerification, to recipient: String = "ada@example.com", ownerId: String? = nil,
        _ content: MailContent = MailContent(name: "Ada"), eventId: String? = nil
    ) async throws -> String {
        let id = environment.ids.make(.mail)
        try await store.write { [clock] repositories in
            try repositories.mails.enqueue(
                QueuedMail(
                    id: id, kind: kind, recipient: recipient, ownerId: ownerId, content: content, eventId: eventId,
                    createdAt: clock.now))
        }
        return id
    }

    /// The files of the mails that were written, by their ids.
    func writtenMails() throws -> [String: String] {
        let mails = folder.appending(path: "mails")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: mails.path)) ?? []
        return try names.filter { $0.hasSuffix(".eml") }.reduce(into: [:]) { files, name in
            files[String(name.dropLast(4))] = try String(contentsOf: mails.appending(path: name), encoding: .utf8)
        }
    }

    /// The kinds of the queued mails in the order of their ids.
    func queuedKinds() async throws -> [String] {
        try await rows("SELECT kind FROM mails ORDER BY id").map { try $0.text(0) }
    }
}

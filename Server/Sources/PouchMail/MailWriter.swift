import Foundation
import PouchDomain

/// The settings of a shop's e-mails: their destination, and how the shop appears in them.
public struct MailSettings: Sendable {
    public enum Destination: Sendable {
        case smtp(SMTPServer)
        /// Files that mail programs open.
        case folder(URL)

        /// Confirms that e-mails would be accepted now, without sending one.
        public func check() async throws(DeliveryError) {
            switch self {
            case .smtp(let server):
                let connection = try await SMTPConnection.open(server)
                await connection.quit()
            case .folder(let folder):
                var place = folder
                while !FileManager.default.fileExists(atPath: place.path), place.path != "/" {
                    place.deleteLastPathComponent()
                }
                var isFolder = ObjCBool(false)
                guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder), isFolder.boolValue,
                    FileManager.default.isWritableFile(atPath: place.path)
                else {
                    throw .unavailable("cannot write to \(place.path)")
                }
            }
        }

        public var transport: any MailTransport {
            switch self {
            case .smtp(let server): SMTPTransport(server)
            case .folder(let folder): MailFolder(folder)
            }
        }
    }

    public let destination: Destination
    /// The sender of all e-mails. Its name is the shop's.
    public let from: MailAddress
    public let replyTo: MailAddress?
    /// The shop's public address, to which the paths of links are appended; without a trailing slash.
    public let publicURL: String
    public let templates: MailTemplates

    public init(
        destination: Destination, from: MailAddress, replyTo: MailAddress? = nil, publicURL: String,
        templates: MailTemplates
    ) {
        self.destination = destination
        self.from = from
        self.replyTo = replyTo
        self.publicURL = publicURL
        self.templates = templates
    }
}

/// Converts queued e-mails to messages.
public struct MailWriter: Sendable {
    private let settings: MailSettings
    private let timeZone: TimeZone
    private let token: @Sendable (SignedLink) -> String

    /// - Parameter token: creates the tokens of links.
    public init(_ settings: MailSettings, timeZone: TimeZone, token: @escaping @Sendable (SignedLink) -> String) {
        self.settings = settings
        self.timeZone = timeZone
        self.token = token
    }

    /// - Throws: `DeliveryError.refused` for a recipient to whom no e-mail can be sent.
    public func message(_ mail: QueuedMail) throws(DeliveryError) -> MailMessage {
        guard let to = MailAddress(address: mail.recipient) else { throw .refused("invalid recipient address") }
        let values = MailFormatter(timeZone: timeZone).values(
            mail.kind, mail.content, shop: settings.from.name ?? String(settings.from.domain),
            url: settings.publicURL, link: mail.content.link.map(address))
        let (subject, text, html) = settings.templates.render(mail.kind, values)
        return MailMessage(
            id: mail.id, from: settings.from, replyTo: settings.replyTo, to: to, subject: subject,
            date: mail.createdAt, text: text, html: html)
    }

    /// The address of a link. The token follows the `#`, which browsers send to no server, so that no log contains it.
    private func address(_ link: SignedLink) -> String {
        let path =
            switch link.purpose {
            case .order: "orders"
            case .passwordReset: "reset-password"
            case .emailVerification: "verify-email"
            case .staffInvitation: "join-staff"
            }
        return "\(settings.publicURL)/\(path)#\(token(link))"
    }
}

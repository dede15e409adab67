import ArgumentParser
import Configuration
import Foundation
import PouchMail

/// The options that say how mails look and where they go.
struct MailOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where mails go: a mail server, folder: and a path for .eml files, or none. Default: none.",
            discussion: """
                smtp: encrypts with STARTTLS, which the server must offer unless it runs on this machine; smtps: with \
                TLS from the start. The ports are 587 and 465. An @ in the user's name is written %40.
                """, valueName: "smtp://user@host:587|folder:path|none"))
    var mail: String?

    @Option(
        help: ArgumentHelp(
            "A file with the password for the mail server.",
            discussion: "Alternatively, POUCH_MAIL_PASSWORD contains the password itself.", valueName: "file"))
    var mailPasswordFile: String?

    @Option(
        help: ArgumentHelp(
            "A PEM file with the certificates to trust for the mail server instead of the system's.", valueName: "file")
    )
    var mailTrust: String?

    @Option(
        help: ArgumentHelp(
            "The sender of all mails. Its name, otherwise that of --shop-name, is the shop's name in them.",
            valueName: "name <shop@example.com>"))
    var mailFrom: String?

    @Option(help: ArgumentHelp("Where answers to mails go. Default: to the sender.", valueName: "address"))
    var mailReplyTo: String?

    @Option(
        help: ArgumentHelp(
            "A folder with templates that replace the standard ones.",
            discussion: "“pouch-server mail templates” writes the standard ones to start from.", valueName: "folder"))
    var mailTemplates: String?

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp(
            "The address of the shop for its customers, with which links in mails begin.",
            discussion: """
                With https, the pages' cookies go over TLS only, also where something in front of this server speaks \
                it. Default: the address of this server, unless mails go to a mail server.
                """,
            valueName: "https://shop.example.com"))
    var publicURL: String?

    var values: [String: ConfigValue?] {
        [
            "mail": mail.map(ConfigValue.text),
            "mailPasswordFile": mailPasswordFile.map(ConfigValue.text),
            "mailTrust": mailTrust.map(ConfigValue.text),
            "mailFrom": mailFrom.map(ConfigValue.text),
            "mailReplyTo": mailReplyTo.map(ConfigValue.text),
            "mailTemplates": mailTemplates.map(ConfigValue.text),
            "publicURL": publicURL.map(ConfigValue.text),
        ]
    }

    // MARK: Settings

    /// - Parameter ownURL: the address of the server for programs of this machine.
    /// - Returns: nil if no mail is to be sent.
    func mailSettings(_ settings: Settings, ownURL: String) throws -> MailSettings? {
        // Checked also without mail, so that a mistake does not wait for the day on which mail is switched on.
        let templates = try templates(settings)
        guard let destination = try destination(settings) else { return nil }
        let isServer = if case .smtp = destination { true } else { false }
        guard !isServer || settings.text("mailFrom") != nil && settings.text("publicURL") != nil else {
            throw ValidationError(
                "Mail needs a sender and an address for its links. Name them with --mail-from and --public-url.")
        }
        return MailSettings(
            destination: destination, from: try sender(settings),
            replyTo: try address("mailReplyTo", settings),
            publicURL: try publicURL(settings) ?? ownURL, templates: templates)
    }

    /// The address with the shop's name, unless it has a name of its own.
    private func sender(_ settings: Settings) throws -> MailAddress {
        let address = try address("mailFrom", settings)
        guard address?.name == nil, let name = settings.text("shopName") else { return address ?? .unnamedShop }
        return MailAddress(address: address?.address ?? MailAddress.unnamedShop.address, name: name) ?? .unnamedShop
    }

    func templates(_ settings: Settings) throws -> MailTemplates {
        guard let folder = settings.text("mailTemplates") else { return try MailTemplates() }
        do {
            return try MailTemplates(folder: URL(fileURLWithPath: folder))
        } catch let mistake as TemplateMistake {
            throw ValidationError(mistake.description)
        } catch {
            throw ValidationError("The folder of templates \(folder) cannot be read.")
        }
    }

    private func destination(_ settings: Settings) throws -> MailSettings.Destination? {
        guard let text = settings.text("mail"), text != "none" else { return nil }
        if text.hasPrefix("folder:") {
            let path = String(text.dropFirst("folder:".count))
            guard !path.isEmpty else { throw ValidationError("--mail folder: needs a path, as in folder:mails.") }
            return .folder(URL(fileURLWithPath: path))
        }
        let password = try settings.secret(inFileOf: "mailPasswordFile") ?? settings.text("mailPassword")
        do {
            var server = try SMTPServer(text, password: password)
            guard (server.user == nil) == (password == nil) else {
                throw ValidationError(
                    server.user == nil
                        ? "There is a password for the mail server, but no user. Name one, as in smtp://user@host."
                        : "The mail server needs a password. Use --mail-password-file or POUCH_MAIL_PASSWORD.")
            }
            if let path = settings.text("mailTrust") {
                guard FileManager.default.isReadableFile(atPath: path) else {
                    throw ValidationError("The file \(path) cannot be read.")
                }
                server.trustPath = path
            }
            return .smtp(server)
        } catch SMTPServer.AddressError.containsPassword {
            throw ValidationError(
                """
                --mail contains a password, which other users of this machine can read. Put it into a file and use \
                --mail-password-file.
                """)
        } catch SMTPServer.AddressError.invalid {
            // The error does not show the text, which may contain a password.
            throw ValidationError(
                "--mail must be an address such as smtp://user@mail.example.com:587, folder: and a path, or none.")
        }
    }

    private func address(_ key: String, _ settings: Settings) throws -> MailAddress? {
        guard let text = settings.text(key) else { return nil }
        guard let address = MailAddress(text) else {
            throw ValidationError(
                "“\(text)” is not an e-mail address. Use one such as shop@example.com or “The shop <shop@example.com>”."
            )
        }
        return address
    }

    func publicURL(_ settings: Settings) throws -> String? {
        guard let text = settings.text("publicURL") else { return nil }
        guard let url = URLComponents(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false, url.query == nil, url.fragment == nil, url.user == nil
        else { throw ValidationError("--public-url must be an address such as https://shop.example.com.") }
        return String(text.reversed().drop { $0 == "/" }.reversed())
    }
}

import ArgumentParser
import Foundation
import PouchMail
import PouchTemplates

/// The options for e-mails: how they look and where they go.
struct MailOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to send e-mails: a mail server, folder: and a path for .eml files, or none. Default: none.",
            discussion: """
                smtp: encrypts with STARTTLS, which the server must offer unless it runs on this machine; smtps: uses \
                TLS from the start. The default ports are 587 and 465. Write an @ in the user name as %40.
                """, valueName: "smtp://user@host:587|folder:path|none"))
    var mail: String?

    @Option(
        help: ArgumentHelp(
            "A file with the password for the mail server.",
            discussion: "Alternatively, POUCH_MAIL_PASSWORD contains the password itself.", valueName: "file"))
    var mailPasswordFile: String?

    @Option(
        help: ArgumentHelp(
            "A PEM file with certificates to trust for the mail server instead of the system's.", valueName: "file")
    )
    var mailTrust: String?

    @Option(
        help: ArgumentHelp(
            "The sender of all e-mails. Its name, or else --shop-name, is the shop's name in them.",
            valueName: "name <shop@example.com>"))
    var mailFrom: String?

    @Option(help: ArgumentHelp("The address for replies to e-mails. Default: the sender.", valueName: "address"))
    var mailReplyTo: String?

    @Option(
        help: ArgumentHelp(
            "A folder with templates that replace the standard ones.",
            discussion: "“pouch-server mail templates” writes the standard ones for you to edit.", valueName: "folder"))
    var mailTemplates: String?

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp(
            "The shop's public address. Links in e-mails begin with it.",
            discussion: """
                With an https address, browsers send the pages' cookies over TLS only, even if a proxy in front of \
                this server provides the TLS. Default: the address of this server, unless a mail server is set.
                """,
            valueName: "https://shop.example.com"))
    var publicURL: String?

    // MARK: Settings

    /// - Parameter ownURL: the address of the server for programs on this machine.
    /// - Returns: nil if the server sends no e-mails.
    func mailSettings(_ settings: Settings, ownURL: String) throws -> MailSettings? {
        // Checked even without mail, so that mistakes show before mail is switched on.
        let templates = try templates(settings)
        guard let destination = try destination(settings) else { return nil }
        let isServer = if case .smtp = destination { true } else { false }
        guard !isServer || settings.text("mailFrom") != nil && settings.text("publicURL") != nil else {
            throw ValidationError(
                "E-mails need a sender and an address for links. Set them with --mail-from and --public-url.")
        }
        return MailSettings(
            destination: destination, from: try sender(settings),
            replyTo: try address("mailReplyTo", settings),
            publicURL: try publicURL(settings) ?? ownURL, templates: templates)
    }

    /// The sender's address, with the shop's name unless it has its own.
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
            throw ValidationError("Cannot read the template folder \(folder). Check the path and its permissions.")
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
                        ? "The mail server has a password but no user. Add the user to --mail, as in smtp://user@host."
                        : "The mail server needs a password. Use --mail-password-file or POUCH_MAIL_PASSWORD.")
            }
            if let path = settings.text("mailTrust") {
                guard FileManager.default.isReadableFile(atPath: path) else {
                    throw ValidationError("Cannot read the file \(path). Check the path and its permissions.")
                }
                server.trustPath = path
            }
            return .smtp(server)
        } catch SMTPServer.AddressError.containsPassword {
            throw ValidationError(
                """
                --mail contains a password, which other users of this machine can read. Put it in a file and use \
                --mail-password-file.
                """)
        } catch SMTPServer.AddressError.invalid {
            // The error omits the text, which may contain a password.
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

import ArgumentParser
import Foundation
import PouchDomain
import PouchMail

struct Mail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Preview the shop's e-mails, and test the mail server.",
        subcommands: [Preview.self, Templates.self, Test.self])

    /// The options of all of these commands.
    struct Options: ParsableArguments {
        @OptionGroup var mail: MailOptions

        @Option(
            help: ArgumentHelp("A JSON file with values for these options.", valueName: "file"))
        var config: String?

        func settings() async throws -> Settings {
            try await Settings(mail.values, file: config)
        }
    }

    struct Preview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show e-mails with sample data.",
            discussion: "Prints the plain text. With --out, also writes each e-mail as sent, its text and its page.")

        @OptionGroup var options: Options

        @Argument(help: "The kind of e-mail. Default: all.", completion: .list(MailKind.allCases.map(\.rawValue)))
        var kind: String?

        @Option(
            help: ArgumentHelp("A folder for an .eml, .txt and .html file of each kind.", valueName: "folder"),
            completion: .directory)
        var out: String?

        func run() async throws {
            let kinds = try kind.map { name in
                guard let kind = MailKind(rawValue: name) else {
                    let names = MailKind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError("There is no e-mail kind “\(name)”. The kinds are \(names).")
                }
                return [kind]
            }
            let settings = try await options.settings()
            let sample = MailSettings(
                destination: .folder(URL(fileURLWithPath: out ?? ".")),
                from: settings.text("mailFrom").flatMap { MailAddress($0) } ?? .unnamedShop,
                publicURL: settings.text("publicURL") ?? "https://shop.example.com",
                templates: try options.mail.templates(settings))
            let writer = MailWriter(sample, timeZone: .gmt) { _ in "sample-token" }
            for kind in kinds ?? MailKind.allCases {
                let message = try writer.message(
                    QueuedMail(
                        id: "\(kind.rawValue)", kind: kind, recipient: "ada@example.com", ownerId: nil,
                        content: MailSamples.content(kind), createdAt: Date()))
                if let out { try write(message, to: URL(fileURLWithPath: out)) } else { show(message) }
            }
        }

        private func show(_ message: MailMessage) {
            print("── \(message.id) \(String(repeating: "─", count: max(4, 68 - message.id.count)))")
            print("From: \(message.from.name ?? "") <\(message.from.address)>")
            print("Subject: \(message.subject)\n\n\(message.text)")
        }

        private func write(_ message: MailMessage, to folder: URL) throws {
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for (ending, data) in [
                    ("eml", message.bytes()), ("txt", Data(message.text.utf8)), ("html", Data(message.html.utf8)),
                ] {
                    try data.write(to: folder.appending(path: "\(message.id).\(ending)"))
                }
            } catch {
                throw Failure("Cannot write to the folder \(folder.path). Check the path and its permissions.")
            }
            print("Wrote \(message.id).eml, .txt and .html.")
        }
    }

    struct Templates: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the standard templates, to edit and use with --mail-templates.",
            discussion: "Keep only the files that you change; updates of the server improve the others.")

        @Argument(help: "The folder. Existing files are not overwritten.", completion: .directory)
        var folder: String

        func run() throws {
            try writeTemplates(MailTemplates.defaults, to: URL(fileURLWithPath: folder), named: "template")
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Send an e-mail now, to test the settings.")

        @OptionGroup var options: Options

        @Argument(help: "The recipient.")
        var address: String

        func run() async throws {
            let settings = try await options.settings()
            guard let mail = try options.mail.mailSettings(settings, ownURL: "http://127.0.0.1:8080") else {
                throw ValidationError("Set the mail server with --mail, as in --mail smtp://user@mail.example.com.")
            }
            guard let to = MailAddress(address) else {
                throw ValidationError("“\(address)” is not an e-mail address. Use one such as ada@example.com.")
            }
            let shop = mail.from.name ?? mail.from.address
            let id = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
            let message = MailMessage(
                id: id, from: mail.from, replyTo: mail.replyTo, to: to, subject: "A test e-mail from \(shop)",
                date: Date(), text: "This e-mail shows that \(shop) can send e-mails.\n",
                html: "<p>This e-mail shows that the shop can send e-mails.</p>\n")
            let transport = mail.destination.transport
            do throws(DeliveryError) {
                try await transport.deliver(message)
            } catch {
                throw Failure("The e-mail was not sent: \(error.reason). Check the --mail options.")
            }
            await transport.finish()
            switch mail.destination {
            case .smtp: print("Sent. The mail server accepted the e-mail \(id).")
            case .folder(let folder): print("Written, not sent: \(folder.appending(path: id + ".eml").path).")
            }
        }
    }
}

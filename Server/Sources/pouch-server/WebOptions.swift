import ArgumentParser
import Configuration
import Foundation
import PouchMail
import PouchServer
import PouchWeb

/// The options that say how the pages of the shop look.
struct WebOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A folder with templates, styles and texts that replace the standard ones.",
            discussion: "“pouch-server theme new” writes the standard ones to start from.", valueName: "folder"))
    var theme: String?

    @Option(
        help: ArgumentHelp(
            "The name of the shop on its pages. Default: that of --mail-from, or Pouch.", valueName: "name"))
    var shopName: String?

    @Option(
        help: ArgumentHelp(
            "The seller at the foot of the pages and on invoices, with commas between the lines.",
            discussion: "An example: \"Harbour Lane 5, 20457 Hamburg, Germany, VAT DE123456789\".",
            valueName: "lines"))
    var shopAddress: String?

    @Flag(help: "Serve no pages, but the API alone.")
    var noPages = false

    @Flag(help: "Show all parts of the design at /admin/styleguide, for those who work on it.")
    var styleguide = false

    var values: [String: ConfigValue?] {
        [
            "theme": theme.map(ConfigValue.text), "shopName": shopName.map(ConfigValue.text),
            "shopAddress": shopAddress.map(ConfigValue.text),
            "noPages": noPages ? .flag(true) : nil, "styleguide": styleguide ? .flag(true) : nil,
        ]
    }

    /// Sets the pages of a configuration that is otherwise complete.
    func apply(_ settings: Settings, publicURL: String?, to configuration: inout ServerConfiguration) throws {
        configuration.servesPages = try settings.flag("noPages") != true
        var web = WebSettings(
            publicURL: publicURL ?? configuration.mail?.publicURL ?? configuration.ownURL,
            theme: try Self.theme(folder: settings.text("theme")))
        web.mail = configuration.mail
        web.shopName = settings.text("shopName") ?? configuration.mail?.from.name ?? web.shopName
        guard (1...80).contains(web.shopName.count) else {
            throw ValidationError("--shop-name must have 1 to 80 characters.")
        }
        web.shopAddress = try Self.lines(settings.text("shopAddress") ?? "")
        web.showsStyleguide = try settings.flag("styleguide") == true
        configuration.web = web
    }

    private static func lines(_ address: String) throws -> [String] {
        let lines = address.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        guard lines.count <= 8, lines.allSatisfy({ $0.count <= 80 }) else {
            throw ValidationError("--shop-address has at most 8 lines of 80 characters, with commas between them.")
        }
        return lines
    }

    /// - Parameter folder: nil for the standard look.
    static func theme(folder: String?) throws -> WebTheme {
        guard let folder else { return try WebTheme() }
        do {
            return try WebTheme(folder: URL(fileURLWithPath: folder))
        } catch let mistake as TemplateMistake {
            throw ValidationError(mistake.description)
        } catch {
            throw ValidationError("The folder of the theme \(folder) cannot be read.")
        }
    }
}

struct ThemeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "theme", abstract: "Make a look of your own for the shop's pages, and check it.",
        subcommands: [New.self, Check.self])

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the standard templates, styles and texts, to be changed and used with --theme.",
            discussion: """
                Keep only the files that you change: the others follow the server's next releases. A file own.css, which \
                you add, follows all other styles.
                """)

        @Argument(help: "The folder; existing files in it are kept.", completion: .directory)
        var folder: String

        func run() throws {
            try writeTemplates(WebTheme.defaults, to: URL(fileURLWithPath: folder), named: "file")
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find mistakes in a theme, with their line and column, as a start of the server does.")

        @Argument(help: "The folder.", completion: .directory)
        var folder: String

        func run() throws {
            _ = try WebOptions.theme(folder: folder)
            print("The theme has no mistakes.")
        }
    }
}

/// Writes files to be changed, and keeps those that the folder has already.
///
/// - Parameter noun: names one of the files.
func writeTemplates(_ files: [String: String], to folder: URL, named noun: String) throws {
    var count = 0
    do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            do {
                try Data(text.utf8).write(to: folder.appending(path: name), options: .withoutOverwriting)
                count += 1
            } catch CocoaError.fileWriteFileExists {}
        }
    } catch {
        throw Failure("The folder \(folder.path) cannot be written. Check the path and its permissions.")
    }
    let kept = files.count - count
    let remark = kept == 0 ? "" : " Kept \(kept) that the folder had already."
    print("Wrote \(count) \(noun)\(count == 1 ? "" : "s").\(remark)")
}

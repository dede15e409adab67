import ArgumentParser
import Foundation
import PouchMail
import PouchServer
import PouchTemplates
import PouchWeb

/// The options for the shop's pages.
struct WebOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A folder with templates, styles and texts that replace the standard ones.",
            discussion: "“pouch-server theme new” writes the standard ones for you to edit.", valueName: "folder"))
    var theme: String?

    @Option(
        help: ArgumentHelp(
            "The shop's name on its pages. Default: the name in --mail-from, or Pouch.", valueName: "name"))
    var shopName: String?

    @Option(
        help: ArgumentHelp(
            "The seller's address, for the footer and invoices. Separate its lines by commas.",
            discussion: "Example: \"Harbour Lane 5, 20457 Hamburg, Germany, VAT DE123456789\".",
            valueName: "lines"))
    var shopAddress: String?

    @Flag(help: "Serve only the API, without pages.")
    var noPages = false

    @Flag(help: "Show all parts of the design at /admin/styleguide, for designers.")
    var styleguide = false

    /// Sets the page settings of an otherwise complete configuration.
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
        web.shopAddress = settings.list("shopAddress")
        guard web.shopAddress.count <= 8, web.shopAddress.allSatisfy({ $0.count <= 80 }) else {
            throw ValidationError("--shop-address must have at most 8 lines of 80 characters, separated by commas.")
        }
        web.showsStyleguide = try settings.flag("styleguide") == true
        configuration.web = web
    }

    /// - Parameter folder: nil for the standard theme.
    static func theme(folder: String?) throws -> WebTheme {
        guard let folder else { return try WebTheme() }
        do {
            return try WebTheme(folder: URL(fileURLWithPath: folder))
        } catch let mistake as TemplateMistake {
            throw ValidationError(mistake.description)
        } catch {
            throw ValidationError("Cannot read the theme folder \(folder). Check the path and its permissions.")
        }
    }
}

struct ThemeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "theme", abstract: "Create and check a custom theme for the shop's pages.",
        subcommands: [New.self, Check.self])

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the standard templates, styles and texts, to edit and use with --theme.",
            discussion: """
                Keep only the files that you change; updates of the server improve the others. If you add a file \
                own.css, it is loaded after all other styles.
                """)

        @Argument(help: "The folder. Existing files are not overwritten.", completion: .directory)
        var folder: String

        func run() throws {
            try writeTemplates(WebTheme.defaults, to: URL(fileURLWithPath: folder), named: "file")
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find mistakes in a theme, with their line and column, as the server does when it starts.")

        @Argument(help: "The folder.", completion: .directory)
        var folder: String

        func run() throws {
            _ = try WebOptions.theme(folder: folder)
            print("The theme is valid.")
        }
    }
}

/// Writes files for the user to edit, and keeps those that already exist in the folder.
///
/// - Parameter noun: the word for one file.
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
        throw Failure("Cannot write to the folder \(folder.path). Check the path and its permissions.")
    }
    let kept = files.count - count
    let remark = kept == 0 ? "" : " Kept \(kept) that already existed."
    print("Wrote \(count) \(noun)\(count == 1 ? "" : "s").\(remark)")
}

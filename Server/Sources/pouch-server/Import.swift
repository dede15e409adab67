import ArgumentParser
import Foundation
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage

extension FeedFormat: @retroactive ExpressibleByArgument {}

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring a product feed into the catalogue.",
        discussion: """
            Adds and updates; what the feed does not name stays. Stock changes only where the feed's figure differs from \
            the one that was imported last. Customers see the catalogue before or after the import, nothing between, \
            and a server that is running shows it within a second.

            Exit code 0 when the feed was taken over, also where single rows were left out and reported.
            """)

    @OptionGroup var options: SharedOptions

    @Option(help: "shopify-csv (a file) or layers-json (a folder with products.json).")
    var format: FeedFormat

    @Flag(help: "Show what would change, and change nothing.")
    var dryRun = false

    @Option(help: ArgumentHelp("Units of a variant for which a LAYERS feed names none.", valueName: "units"))
    var stock = 0

    @Flag(help: "Do nothing when the catalogue has products already.")
    var ifEmpty = false

    @Argument(help: "The file or folder.", completion: .file())
    var path: String

    func validate() throws {
        guard stock >= 0 else { throw ValidationError("--stock must not be negative.") }
    }

    func run() async throws {
        let (database, environment) = try await options.open()
        if ifEmpty, try await !environment.store.read({ try $0.catalog.version() == 0 }) {
            print("The catalogue has products already; nothing was imported.")
            return try await database.close()
        }
        let bar = ProgressBar("Importing")
        do {
            let reader = try format.reader(
                at: URL(fileURLWithPath: path), currency: environment.shop.currency,
                timeZone: environment.shop.timeZone,
                defaultStock: stock)
            let report = try await ImportService(environment).run(reader, isDryRun: dryRun) { progress in
                bar.show(progress.bytesRead, of: progress.totalBytes, "\(progress.rows) rows")
            }
            bar.end()
            guard report.status != .failed else {
                throw Failure("The import failed through no fault of the feed; nothing was imported. Try again.")
            }
            print(report.text)
        } catch let error as FeedError {
            bar.end()
            throw Failure("Nothing was imported. \(error)")
        }
        try await database.close()
    }
}

extension ImportReport {
    /// The report for people.
    fileprivate var text: String {
        var lines = [
            status == .dryRun ? "Dry run: nothing was changed. The import would bring:" : "Imported:",
            "  \(count(products, "product")) with \(count(variants, "variant")) in \(count(rows, "row"))",
            "  \(created) created, \(updated) updated, \(unchanged) unchanged, \(count(failed, "problem"))",
        ]
        for error in errors {
            lines.append(
                "  line \(error.line)\(error.field.map { ", " + $0 } ?? ""): \(error.detail) (\(error.code.rawValue))")
        }
        if failed > errors.count { lines.append("  … and \(count(failed - errors.count, "more problem"))") }
        return lines.joined(separator: "\n")
    }

    private func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

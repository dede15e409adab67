import ArgumentParser
import Foundation
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage

extension FeedFormat: @retroactive ExpressibleByArgument {
    fileprivate var place: String {
        switch self {
        case .shopifyCSV: "file"
        case .layersJSON: "folder"
        }
    }
}

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import a product feed into the catalogue.",
        discussion: """
            Adds and updates products; products that are not in the feed stay unchanged. Stock changes only where the \
            feed's quantity differs from the last import. A new product in a CSV is on sale at once, unless its Status \
            is draft or archived or its Published is false. Customers see the catalogue before or after the import, \
            never in between; running servers show it within a second.

            The exit code is 1 if rows had errors. The report lists these rows; all others are imported. Notes list \
            values that were imported differently from the file, and columns that the shop does not use.
            """)

    @OptionGroup var options: SharedOptions

    @Option(help: "shopify-csv (a file) or layers-json (a folder with products.json).")
    var format: FeedFormat

    @Flag(help: "Show the changes without making them.")
    var dryRun = false

    @Option(help: ArgumentHelp("The stock of variants for which a LAYERS feed has no quantity.", valueName: "units"))
    var stock = 0

    @Flag(help: "Do nothing if the catalogue has products.")
    var ifEmpty = false

    @Argument(help: "The file or folder.", completion: .file())
    var path: String

    func validate() throws {
        guard stock >= 0 else { throw ValidationError("--stock must not be negative.") }
    }

    func run() async throws {
        let (database, store, environment) = try await options.open(.made, after: checkPath)
        if ifEmpty, try await !environment.store.read({ try $0.catalog.version() == 0 }) {
            print("The catalogue has products; nothing was imported.")
            return try await database.close()
        }
        let bar = ProgressBar("Importing")
        var failed = 0
        do {
            let reader = try format.reader(
                at: URL(fileURLWithPath: path), currency: environment.shop.currency,
                timeZone: environment.shop.timeZone,
                defaultStock: stock)
            let report = try await ImportService(environment, store: store).run(reader, isDryRun: dryRun) { progress in
                bar.show(progress.bytesRead, of: progress.totalBytes, "\(progress.rows) rows")
            }
            bar.end()
            guard report.status != .failed else {
                throw Failure("The import failed, but the feed is not the cause. Nothing was imported; try again.")
            }
            print(report.text)
            failed = report.failed
        } catch let error as FeedError {
            bar.end()
            throw Failure("Nothing was imported. \(error)".printable)
        }
        try await database.close()
        guard failed == 0 else { throw ExitCode.failure }
    }
}

extension Import {
    private func checkPath() throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure("Nothing was imported. There is no \(format.place) \(path). Check the path.".printable)
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw Failure(
                "Nothing was imported: \(path) cannot be read. Check the path and its permissions.".printable)
        }
        // The reader would report the first file that it looks for in the folder, not the path.
        guard format != .layersJSON || isFolder(path) else {
            throw Failure(
                "Nothing was imported: \(path) is not a folder. A CSV file needs --format shopify-csv.".printable)
        }
    }
}

extension ImportReport {
    fileprivate var text: String {
        var lines = [
            status == .dryRun
                ? "Dry run: nothing was changed. The import would have these results:"
                : products == 0 && failed > 0 ? "No product was imported:" : "Imported:",
            "  \(count(products, "product")) with \(count(variants, "variant")) in \(count(rows, "row"))",
            "  \(created) created, \(updated) updated, \(unchanged) unchanged, \(count(failed, "problem"))",
        ]
        lines += errors.map(text)
        if failed > errors.count { lines.append("  … and \(count(failed - errors.count, "more problem"))") }
        if noted > 0 { lines.append("  \(count(noted, "note")):") }
        lines += notes.map(text)
        if noted > notes.count { lines.append("  … and \(count(noted - notes.count, "more note"))") }
        return lines.joined(separator: "\n")
    }

    private func text(_ report: FeedRowError) -> String {
        "  line \(report.line)\(report.field.map { ", " + $0 } ?? ""): \(report.detail) (\(report.code.rawValue))"
            .printable
    }

    private func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

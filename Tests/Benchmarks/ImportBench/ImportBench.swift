import Benchmarking
import Foundation

/// What an import over HTTP takes, and what buyers notice of it.
///
/// On SQLite, or on the PostgreSQL that POUCH_TEST_POSTGRES names. Each size has a new shop, whose server is a process of
/// its own: this program again, as `import-bench serve DATABASE FOLDER`.
@main
struct ImportBench {
    static let sizes = [10_000, 100_000, 300_000]
    static let buyers = 4
    /// Between two writes of one buyer.
    static let pause = Duration.milliseconds(20)

    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "serve" {
            return try await TimedServer.run(database: arguments[2], folder: URL(fileURLWithPath: arguments[3]))
        }
        print(
            "\n\(ImportedShop.isPostgres ? "PostgreSQL" : "SQLite"): an import into a shop with \(Feed.firstSKUs) SKUs")
        print(
            "\(buyers) buyers set a line of their carts to another quantity, again \(pause / .milliseconds(1)) ms after each answer\n"
        )
        let columns = [
            "feed MB", "seconds", "peak MB", "then", "publishing", "longest", "cart p99", "longest", "without",
            "refused",
        ]
        print("variants".padded(10) + columns.map { $0.leftPadded(11) }.joined())
        for size in sizes {
            let outcome = try await ImportedShop.importing(size)
            let figures = [
                String(format: "%.1f", outcome.feedMegabytes), String(format: "%.1f", outcome.seconds),
                "\(outcome.peakMegabytes)", "\(outcome.readMegabytes)", ms(outcome.publishing),
                ms(outcome.longestWrite),
                ms(outcome.during.percentile(99)), ms(outcome.during.last ?? 0), ms(outcome.before.last ?? 0),
                "\(outcome.refusals)",
            ]
            say("\(size)".padded(10) + figures.map { $0.leftPadded(11) }.joined())
        }
        print(
            """

            seconds: from the first byte sent to `published` (aim for 100000: at most 20)
            peak MB: the most memory of the server meanwhile; then: with the catalogue that customers search
            publishing: how long the transaction that publishes held the writer (aim: at most 250 ms)
            longest: of all transactions that write, meanwhile
            cart: what a buyer's write took over HTTP meanwhile; without: the longest in the seconds before
            refused: buyers who were told to try again (503)
            """)
    }

    private static func ms(_ duration: Double) -> String { String(format: "%.1f ms", duration) }
}

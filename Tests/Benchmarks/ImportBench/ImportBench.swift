import Benchmarking
import Foundation

/// Measures imports over HTTP and the latency of buyers while an import runs.
///
/// Runs on SQLite, or on the PostgreSQL server in POUCH_TEST_POSTGRES. Each size has a new shop, whose server is
/// another process of this program: `import-bench serve DATABASE FOLDER`.
@main
struct ImportBench {
    /// Variants in stock before an import.
    static let firstSKUs = 1_000
    static let sizes = [10_000, 100_000, 300_000]
    static let buyers = 4
    /// The pause between two writes of one buyer.
    static let pause = Duration.milliseconds(20)

    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "serve" {
            return try await TimedServer.run(database: arguments[2], folder: URL(fileURLWithPath: arguments[3]))
        }
        print(
            "\n\(ImportedShop.isPostgres ? "PostgreSQL" : "SQLite"): an import into a shop with \(firstSKUs) SKUs")
        print(
            "\(buyers) buyers change a quantity in their carts, \(pause / .milliseconds(1)) ms after each response\n"
        )
        let columns = [
            "feed MB", "seconds", "peak MB", "browsed MB", "publishing", "longest", "cart p99", "cart max", "before",
            "refused",
        ]
        sayRow("variants", 10, columns, 11)
        for size in sizes {
            let outcome = try await ImportedShop.importing(size)
            let figures = [
                String(format: "%.1f", outcome.feedMegabytes), String(format: "%.1f", outcome.seconds),
                "\(outcome.peakMegabytes)", "\(outcome.readMegabytes)", ms(outcome.publishing),
                ms(outcome.longestWrite),
                ms(outcome.during.percentile(99)), ms(outcome.during.last ?? 0), ms(outcome.before.last ?? 0),
                "\(outcome.refusals)",
            ]
            sayRow("\(size)", 10, figures, 11)
        }
        print(
            """

            seconds: from the first byte sent to `published` (goal for 100000 variants: at most 20)
            peak MB: peak memory of the server during the import; browsed MB: after a customer has searched the catalogue
            publishing: time that the publishing transaction held the writer (goal: at most 250 ms)
            longest: the longest write transaction during the import
            cart p99, cart max: cart writes over HTTP during the import; before: the longest in the seconds before it
            refused: cart writes that were answered with 503
            """)
    }

    private static func ms(_ duration: Double) -> String { String(format: "%.1f ms", duration) }
}

import Foundation
import PouchDomain
import PouchEntities
import PouchImport

/// What a shop under test sells.
enum TestFeed {
    /// Three products, without promotions.
    case sample
    /// The demo shop, `Server/Demo`.
    case demo

    /// - Parameter folder: where files may be written.
    func reader(in folder: TemporaryFolder) throws -> any FeedReader {
        switch self {
        case .sample:
            let file = try folder.file("feed.csv", containing: SampleFeed.csv)
            return try FeedFormat.shopifyCSV.reader(at: file, currency: .eur)
        case .demo: return try FeedFormat.layersJSON.reader(at: Self.demoFolder, currency: .eur)
        }
    }

    static let demoFolder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Server/Demo")
}

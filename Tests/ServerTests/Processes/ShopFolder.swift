import Foundation
import Subprocess
import TestDatabase
import Testing

/// Files of a shop in a folder.
enum ShopFolder {
    /// A database with ten caps.
    ///
    /// - Returns: its address, as the program takes it.
    static func stocked(_ folder: URL) async throws -> String {
        let database = try await TestDatabase(in: folder).text
        let feed = try csv(folder, "caps", products: [("cap", 10)])
        let outcome = try await ServerProgram.run("import", "--format", "shopify-csv", "--database", database, feed)
        try #require(outcome.status == .exited(0), "\(outcome.errors)")
        return database
    }

    /// A Shopify CSV of products at 10.00.
    ///
    /// - Returns: its path.
    static func csv(_ folder: URL, _ name: String, products: [(String, Int)]) throws -> String {
        let file = folder.appending(path: name + ".csv")
        var text = "Handle,Title,Body (HTML),Variant SKU,Variant Inventory Qty,Variant Price\n"
        for (handle, stock) in products {
            text +=
                "\(handle),\(handle.capitalized),<p>\(String(repeating: "Warm. ", count: 20))</p>,\(handle),\(stock),10.00\n"
        }
        try Data(text.utf8).write(to: file)
        return file.path
    }
}

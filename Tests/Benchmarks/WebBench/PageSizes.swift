import Benchmarking
import Foundation
import ShopBenching

/// Prints the bytes of pages, of the stylesheet and of the scripts, as they are and compressed. The server itself does not
/// compress.
struct PageSizes {
    let running: RunningShop
    let visitors: Visitors

    func show() async throws {
        say("\nBytes, raw and by gzip\n")
        sayRow("", Self.name, ["raw", "gzip"], Self.column)
        let cart = visitors.browser(visitors.shopper, units: Visitors.units)
        let owner = visitors.browser(visitors.owner)
        let pages: [(path: String, headers: [String])] = [
            ("/", Visitors.browser), ("/products", Visitors.browser),
            ("/product/\(Visitors.product)", Visitors.browser), ("/cart", cart), ("/checkout", cart),
            ("/orders/\(visitors.orderId)", visitors.browser(visitors.buyer)), ("/sign-in", Visitors.browser),
            ("/account", visitors.browser(visitors.member)), ("/admin", owner), ("/admin/orders", owner),
            ("/admin/products", owner),
        ]
        var files: [String] = []
        for (path, headers) in pages {
            let page = try await show(path == "/orders/\(visitors.orderId)" ? "/orders/{id}" : path, path, headers)
            files += page.matches(of: #/\/web\/[A-Za-z0-9._-]+/#).map { String($0.0) }.filter { !files.contains($0) }
        }
        for file in Set(files).sorted() { try await show(file, file, []) }
        say("")
    }

    private static let (name, column) = (34, 12)

    @discardableResult
    private func show(_ title: String, _ path: String, _ headers: [String]) async throws -> String {
        let file = running.folder.appending(path: "page")
        let options = headers.flatMap { ["-H", $0] } + ["-o", file.path, running.url + path]
        _ = try await Program.run("curl", ["-s", "-S", "-f"] + options)
        let page = try Data(contentsOf: file)
        let compressed = try await Program.run("/bin/sh", ["-c", "gzip -c <\"$0\" | wc -c", file.path])
        let sizes = ["\(page.count)", compressed.trimmingCharacters(in: .whitespacesAndNewlines)]
        sayRow(title, Self.name, sizes, Self.column)
        return String(decoding: page, as: UTF8.self)
    }
}

import PouchWeb
import ServerTesting
import Testing

@Suite("Former addresses", .inShop())
struct FormerAddressTests {
    private let shop = TestShop.current

    /// The address to which one leads, or the status of its own answer.
    private func location(_ path: String) async throws -> String? {
        let answer = try await shop.anyone.send("GET", path)
        return answer.status == 301 ? answer.header("Location") : "\(answer.status)"
    }

    @Test func `The page of a former handle leads to the product, until another product has the handle`() async throws {
        let admin = try await shop.admin()
        try await admin.change(product: "cap") { $0.handle = "flat-cap" }.good()
        try await admin.change(product: "flat-cap") { $0.handle = "beret" }.good()
        shop.clock.advance(by: 1)
        #expect(try await location("/product/cap?sku=cap") == "/product/beret?sku=cap")
        #expect(try await location("/product/flat-cap") == "/product/beret")
        #expect(try await location("/product/nothing") == "404")
        // The API has products under their handles alone.
        try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).problem(.notFound)
        try await admin.change(product: "scarf") { $0.handle = "cap" }.good()
        shop.clock.advance(by: 1)
        #expect(try await location("/product/cap") == "200")
        #expect(try await location("/products/cap") == "/product/cap")
        // A draft is not told.
        try await admin.addProduct(ProductTerms(name: "Secret", handle: "secret")).good()
        try await admin.change(product: "secret") { $0.handle = "secret-plan" }.good()
        #expect(try await location("/product/secret") == "404")
    }

    @Test func `Addresses of the shop that was imported lead to its products and categories`() async throws {
        let admin = try await shop.admin()
        try await admin.importCSV(
            "Handle,Title,Type,Variant SKU,Variant Price\ncafé,Café,Hot Drinks,X1,5\ncafe,Cafe,Hot Drinks,X2,5\n"
                + "nov5_04,Nov,,N,5\n")
        shop.clock.advance(by: 1)
        for (path, expected) in [
            ("/products/caf%C3%A9?variant=1", "/product/cafe?variant=1"), ("/products/cafe", "/product/cafe-2"),
            ("/products/nov5_04", "/product/nov5-04"), ("/collections/sale/products/nov5_04", "/product/nov5-04"),
            ("/collections/hot-drinks", "/category/hot-drinks"), ("/collections/all", "/products"),
            ("/collections", "/products"), ("/collections/none", "404"), ("/products/none", "404"),
        ] { #expect(try await location(path) == expected, "\(path)") }
        try await admin.change(product: "nov5-04") { $0.handle = "november" }.good()
        shop.clock.advance(by: 1)
        #expect(try await location("/products/nov5_04") == "/product/november")
        #expect(try await location("/product/nov5-04") == "/product/november")
    }
}

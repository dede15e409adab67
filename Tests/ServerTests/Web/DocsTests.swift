import PouchOpenAPI
import ServerTesting
import Subprocess
import SystemPackage
import Testing

@Suite("The API documentation", .timeLimit(.minutes(5)))
struct DocsTests {
    @Test(.withPages([]))
    func `The first page has the conventions, the others are for the script, and all are one file`() async throws {
        let visitor = WebVisitor(.current, isSecure: true)
        let overview = try await visitor.get("/docs")
        #expect(overview.words.contains("Send an access token as Authorization: Bearer"))
        #expect(overview.words.contains("curl 'https://shop.example.com/v1/products?limit=2'"))
        for path in ["/docs/cart", "/docs/errors", "/docs/schemas", "/docs/schemas/Cart"] {
            let page = try await visitor.get(path)
            #expect(page.status == 200 && page.links.contains("/openapi.json"), "\(path)")
            #expect(!page.words.contains("Send an access token"), "\(path)")
        }
        for path in ["/docs/carts", "/docs/schemas/cart"] {
            #expect(try await visitor.get(path).status == 404, "\(path)")
        }
    }
}

/// Runs the compiler, for which `make check` has no time.
@Suite("The Swift of the API documentation", .timeLimit(.minutes(10)))
struct DocsProcessTests {
    @Test(.inFolder) func `The calls compile with the SDK`() async throws {
        let paths = try #require(try OpenAPI.document()["paths"]?.object)
        let operations = paths.values.flatMap { ($0.object ?? [:]).values }
        var source = Self.surroundings
        var count = 0
        for operation in operations {
            guard let name = operation["operationId"]?.string,
                let code = operation["x-codeSamples"]?.array?.first?["source"]?.string
            else { continue }
            let product = code.contains("pouch.admin.") ? "ManagedProduct" : "Product"
            source += "func \(name)(_ pouch: Pouch, _ product: \(product)) async throws {\n\(code)\n}\n"
            count += 1
        }
        #expect(count > 100)
        let file = try TemporaryFolder.current.file("Calls.swift", source)
        let result = try await Subprocess.run(
            .name("swiftc"),
            arguments: [
                "-typecheck", "-swift-version", "6", "-I", BuildFolder.path.appending("Modules").string, "-Xcc",
                "-fmodule-map-file=\(BuildFolder.path.appending("CLibcurl.build/module.modulemap"))", file,
            ],
            input: .none, output: .discarded, error: .string(limit: 1 << 20))
        #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
    }

    /// The values that the calls take from the program around them.
    private static let surroundings = """
        import Foundation
        import PouchClient
        func value<Value>() -> Value { fatalError() }
        let (id, password, newPassword, token): (String, String, String, String) = value()
        let (link, lastSeen, file): (String, String, URL) = value()
        let (start, end): (Date, Date) = value()
        let (address, waypoints): (Address, RideWaypoints) = value()
        let (cart, draft, preview): (Cart, OrderDraft, OrderPreview) = value()
        let (quotes, discount, session): ([FareQuote], ManagedDiscount, UserSession) = value()

        """
}

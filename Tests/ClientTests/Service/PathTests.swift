import Foundation
import PouchNetwork
import PouchService
import PouchWire
import Testing

struct PathTests {
    private static let body = Data("{}".utf8)

    private static let everyPath: [Path] =
        [.healthLive, .healthReady, .openAPI, .asset(path: "a/b.svg")].map(Path.system)
        + [
            .signUp(body: body), .signIn(body: body), .startGuestSession, .refreshSession(body: body), .signOut,
            .profile,
            .updateProfile(body: body), .delete(body: body), .changePassword(body: body), .addresses(),
            .addAddress(body: body), .updateAddress(id: "1", body: body), .deleteAddress(id: "1"),
        ].map(Path.account)
        + [
            .seasons(), .themes(), .categories(), .promotions(), .products(.init()), .product(handle: "h"),
            .availability(skus: ["a"]),
        ].map(Path.catalog)
        + [
            .current, .clear, .addLine(body: body), .setLine(sku: "s", body: body), .removeLine(sku: "s"),
            .setDiscount(body: body), .removeDiscount, .shippingMethods(), .setShipping(body: body),
            .checkout(body: body),
        ].map(Path.cart)
        + [
            .preview(body: body), .buyNow(body: body), .list(), .order(id: "o"), .cancel(id: "o"),
            .changeDelivery(id: "o", body: body),
        ].map(Path.orders)
        + [
            .places(), .options(latitude: 0, longitude: 0), .quote(body: body), .request(body: body), .list(),
            .ride(id: "r"), .cancel(id: "r"), .receipt(id: "r"), .events(id: "r"),
        ].map(Path.rides)
        + [
            .importCatalog(file: URL(filePath: "/feed.csv"), mediaType: "text/csv", format: "csv", dryRun: false),
            .catalogImport(id: "i"), .updateVariant(sku: "s", body: body), .discounts(), .addDiscount(body: body),
            .updateDiscount(id: "d", body: body), .deleteDiscount(id: "d"), .scheduledPrices(),
            .schedulePrice(body: body), .deleteScheduledPrice(id: "p"), .orders(), .fulfil(id: "o"),
            .deliver(id: "o"), .refund(id: "o", body: body),
        ].map(Path.administration)

    @Test func `there is a path for every endpoint of the contract, and none beside`() {
        #expect(Set(Self.everyPath.map(\.endpoint)) == Set(Endpoint.all))
        #expect(Self.everyPath.count == Endpoint.all.count)
    }

    @Test(arguments: [
        (Path.cart(.removeLine(sku: "a/b ?ü")), "/v1/cart/lines/a%2Fb%20%3F%C3%BC"),
        (.catalog(.availability(skus: ["a&b", "c"])), "/v1/availability?sku=a%26b&sku=c"),
        (.catalog(.themes(season: "71", limit: 2, cursor: "x.y")), "/v1/themes?season=71&limit=2&cursor=x.y"),
        (.orders(.list()), "/v1/orders"),
        (
            .cart(.shippingMethods(country: "AU", latitude: -33.5, longitude: 151)),
            "/v1/cart/shipping-methods?country=AU&latitude=-33.5&longitude=151.0"
        ),
        (
            .rides(.places(search: "opera h", latitude: -33.5, longitude: 151, limit: 5)),
            "/v1/ride/places?q=opera%20h&latitude=-33.5&longitude=151.0&limit=5"
        ),
        (.rides(.options(latitude: -33.5, longitude: 151)), "/v1/ride/options?latitude=-33.5&longitude=151.0"),
        (.system(.asset(path: "x/y z.svg")), "/assets/x/y%20z.svg"),
        (.administration(.orders(status: "paid", limit: 2)), "/v1/admin/orders?status=paid&limit=2"),
        (.administration(.scheduledPrices(sku: "a&b")), "/v1/admin/scheduled-prices?sku=a%26b"),
        (
            .administration(
                .importCatalog(
                    file: URL(filePath: "/f.csv"), mediaType: "text/csv", format: "shopify-csv", dryRun: true)),
            "/v1/admin/imports?format=shopify-csv&dryRun=true"
        ),
    ])
    func `ids and query values are percent-encoded into their places`(path: Path, reference: String) async throws {
        let transport = RecordingTransport { _ in .text("{}") }
        let session = Fixture.data(Fixture.session())
        let service = PouchService(
            server: try #require(URL(string: "https://shop.example/base/")), transport: transport,
            sessionStore: MemorySessionStore(session), now: { Fixture.now })
        _ = try await service.call(path)
        #expect(transport.requests.map(\.url.absoluteString) == ["https://shop.example/base" + reference])
    }
}

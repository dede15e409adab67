import SeededRandom
import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Categories, seasons, themes and the front page by hand", .inShop())
struct TaxonomyTests {
    private let shop = TestShop.current
    private let admin: Caller

    init() async throws { admin = try await shop.admin() }

    @Test func `A category is created, renamed, and deleted once no product uses it`() async throws {
        func set(_ id: String, _ name: String) async throws -> Answered<PouchEntities.Category> {
            try await admin.call(Contract.setCategory, NameRequest(name: name), path: ["id": id])
        }
        #expect(try await set("knitwear", "Knitwear").good().productCount == 0)
        try await set("Not an id", "x").problem(.validationFailed)
        try await set("knitwear", " ").problem(.validationFailed)
        try await admin.change(product: "cap") { $0.category = "knitwear" }.good()
        #expect(try await set("knitwear", "Knits").good().productCount == 1)
        try await shop.readAgain()
        let seen = try await shop.anyone.call(Contract.categories).good().items
        #expect(seen.contains(PouchEntities.Category(id: "knitwear", name: "Knits", productCount: 1)))
        try await admin.call(Contract.deleteCategory, path: ["id": "knitwear"]).problem(.stillUsed)
        try await admin.change(product: "cap") { $0.category = "hats" }.good()
        try await admin.call(Contract.deleteCategory, path: ["id": "knitwear"]).good()
        try await admin.call(Contract.deleteCategory, path: ["id": "knitwear"]).problem(.notFound)
        let rest = try await admin.pages(Contract.managedCategories, limit: 1).joined().map(\.id)
        #expect(rest == ["hats", "scarves", "things"])
    }

    @Test func `A season with its theme hides and shows its products by its times`() async throws {
        let start = shop.clock.now.addingTimeInterval(60)
        func set(_ terms: SeasonTerms) async throws -> Answered<Season> {
            try await admin.call(Contract.setSeason, terms, path: ["id": "81"])
        }
        try await set(SeasonTerms(name: "Winter", startsAt: start, endsAt: start)).problem(.validationFailed)
        try await set(SeasonTerms(name: "Winter", startsAt: start)).good()
        let theme = ThemeRequest(name: "Alps", seasonId: "81")
        try await admin.call(Contract.setTheme, theme, path: ["id": "811"]).good()
        let stray = ThemeRequest(name: "Alps", seasonId: "none")
        try await admin.call(Contract.setTheme, stray, path: ["id": "812"]).problem(.validationFailed)
        try await admin.change(product: "cap") { ($0.seasonId, $0.themeId) = (.set("81"), .set("811")) }.good()
        try await shop.readAgain()
        try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).problem(.notFound)
        // An import keeps times that it does not name; by hand they are cleared.
        try await set(SeasonTerms(name: "Winter")).good()
        try await shop.readAgain()
        let cap = try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good()
        #expect(cap.seasonId == "81" && cap.themeId == "811")
        try await admin.call(Contract.deleteTheme, path: ["id": "811"]).problem(.stillUsed)
        try await admin.call(Contract.deleteSeason, path: ["id": "81"]).problem(.stillUsed)
        try await admin.change(product: "cap") { ($0.seasonId, $0.themeId) = (.clear, .clear) }.good()
        try await admin.call(Contract.deleteSeason, path: ["id": "81"]).problem(.stillUsed)
        try await admin.call(Contract.deleteTheme, path: ["id": "811"]).good()
        let entries = try await admin.call(Contract.auditLog, query: "action=deleteTheme").good().items
        #expect(entries.first?.before?["name"]?.string != nil)
        try await admin.call(Contract.deleteSeason, path: ["id": "81"]).good()
        #expect(try await admin.call(Contract.managedSeasons).good().items == [])
        #expect(try await admin.call(Contract.managedThemes).good().items == [])
    }

    @Test func `The front page keeps its order, and shows only published products`() async throws {
        let image = ProductImage(url: "https://shop.example/a.jpg", alt: "A")
        func set(
            _ items: [PromotionTerms], over tag: String? = nil
        ) async throws -> Answered<Page<ManagedPromotion>> {
            let headers = tag.map { [HeaderName.ifMatch: $0] } ?? [:]
            return try await admin.call(Contract.setPromotions, PromotionsRequest(items: items), headers: headers)
        }
        try await set([PromotionTerms(product: "cap")]).problem(.validationFailed)
        try await set([PromotionTerms(product: "nosuch", image: image)]).problem(.validationFailed)
        let cap = try await admin.product("cap")
        let both = [PromotionTerms(product: "scarf", image: image), PromotionTerms(product: cap.id, image: image)]
        let first = try await set(both)
        #expect(try first.good().items.map(\.handle) == ["scarf", "cap"])
        try await admin.change(product: "scarf") { $0.status = .withdrawn }.good()
        try await shop.readAgain()
        #expect(try await shop.anyone.call(Contract.promotions).good().items.map(\.product.handle) == ["cap"])
        let all = try await admin.call(Contract.managedPromotions).good().items
        #expect(all.map(\.status) == [.withdrawn, .published] && all.map(\.position) == [0, 1])
        // Withdrawing a product has not changed the version.
        let second = try await set([both[1]], over: first.etag)
        #expect(try second.good().items.count == 1)
        try await set([both[0]], over: first.etag).problem(.versionConflict)
        #expect(try await set([], over: second.etag).good().items == [])
    }
}

@Suite("Pictures of products")
struct PictureTests {
    private static func png(_ width: UInt32, _ height: UInt32, _ extra: Int = 0) -> Data {
        func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xFF) } }
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        return Data(head + big(width) + big(height) + [8, 6, 0, 0, 0, 0, 0, 0, 0]) + Data(count: extra)
    }

    private static let jpeg = Data(
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC4, 0, 3, 0, 0xFF, 0xC2, 0, 11, 8, 0, 30, 0, 40, 1, 1, 0x11, 0]
            + [UInt8](repeating: 0, count: 8))
    static let gif = Data(Array("GIF89a".utf8) + [40, 0, 30, 0, 0, 0, 0])
    private static func webp(_ chunk: String, _ rest: [UInt8]) -> Data {
        Data(Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP\(chunk)".utf8) + rest + [UInt8](repeating: 0, count: 12))
    }

    @Test func `The size of a picture is read from each kind of file`() throws {
        let files: [(Data, String)] = [
            (Self.png(40, 30), "image/png"), (Self.jpeg, "image/jpeg; charset=x"), (Self.gif, "IMAGE/GIF"),
            (Self.webp("VP8X", [10, 0, 0, 0, 0, 0, 0, 0, 39, 0, 0, 29, 0, 0]), "image/webp"),
            (Self.webp("VP8L", [10, 0, 0, 0, 0x2F, 39, 0x40, 0x07, 0]), "image/webp"),
            (Self.webp("VP8 ", [10, 0, 0, 0, 0, 0, 0, 0x9D, 0x01, 0x2A, 40, 0, 30, 0]), "image/webp"),
        ]
        for (bytes, type) in files {
            let file = try PictureFile(bytes, mediaType: type)
            #expect(file.width == 40 && file.height == 30, "\(type)")
        }
    }

    @Test func `A truncated file of any kind is refused and never read past its end`() {
        for (bytes, type) in [(Self.png(4, 3), "image/png"), (Self.jpeg, "image/jpeg"), (Self.gif, "image/gif")] {
            for length in 0..<bytes.count { _ = try? PictureFile(bytes.prefix(length), mediaType: type) }
        }
        var random = SplitMix64(seed: 1)
        for _ in 0..<2_000 {
            var bytes = [Self.png(4, 3), Self.jpeg, Self.gif, Self.webp("VP8X", [1, 2, 3])].randomElement(
                using: &random)!
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            for kind in PictureFile.Kind.allCases { _ = try? PictureFile(bytes, mediaType: kind.mediaType) }
        }
    }

    @Test(.inShop()) func `A picture is uploaded, attached, ordered, served and removed`() async throws {
        let (shop, admin) = (TestShop.current, try await TestShop.current.admin())
        func upload(_ bytes: Data, _ type: String) async throws -> Answered<Void> {
            try await admin.send("POST", "/v1/admin/pictures", bytes: bytes, headers: ["Content-Type": type])
        }
        let sent = try await upload(Self.png(40, 30), "image/png")
        try #require(sent.status == 201, "\(sent.text)")
        let picture = try Picture(json: sent.body)
        #expect(picture.url.wholeMatch(of: /\/assets\/pictures\/[0-9a-f]{64}\.png/) != nil)
        #expect(picture.width == 40 && picture.height == 30 && picture.mediaType == "image/png")
        #expect(try Picture(json: try await upload(Self.png(40, 30), "image/png").body) == picture)
        let other = try Picture(json: try await upload(Self.gif, "image/gif").body)
        let served = try await shop.anyone.send("GET", picture.url)
        #expect(served.body == Self.png(40, 30) && served.header("Content-Type") == "image/png")
        #expect(served.header("X-Content-Type-Options") == "nosniff")
        let images = [ProductImage(url: picture.url, alt: "Front"), ProductImage(url: other.url, alt: "")]
        let attached = try await admin.change(product: "cap") { $0.images = images }.good()
        #expect(attached.details.images.map(\.alt) == ["Front", "Cap"])
        let ordered = try await admin.change(product: "cap") { $0.images = images.reversed() }.good()
        #expect(ordered.details.images.map(\.url) == [other.url, picture.url])
        try await shop.readAgain()
        let seen = try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good()
        #expect(seen.images == ordered.details.images)
        #expect(try await admin.change(product: "cap") { $0.images = [] }.good().details.images == [])
        let foreign = ProductImage(url: "/assets/pictures/none.png", alt: "x")
        try await admin.change(product: "cap") { $0.images = [foreign] }.problem(.validationFailed)
    }

    @Test(.inShop()) func `Files that are not pictures are refused with the reason`() async throws {
        let (shop, admin) = (TestShop.current, try await TestShop.current.admin())
        let cases: [(Data, String, String)] = [
            (Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), "image/svg+xml", "SVG"),
            (Data("<svg/>".utf8), "image/png", "does not match its type"),
            (Self.gif, "image/png", "does not match its type"),
            (Self.png(0, 3), "image/png", "damaged"),
            (Self.png(4, 3).prefix(20), "image/png", "damaged"),
            (Self.png(100_000, 100_000), "image/png", "million pixels"),
            (Self.png(4, 3, ModelLimits.pictureBytes), "image/png", "MiB"),
            (Self.png(4, 3), "application/json", "PNG"),
        ]
        for (bytes, type, reason) in cases {
            let answer = try await admin.send(
                "POST", "/v1/admin/pictures", bytes: bytes, headers: ["Content-Type": type])
            let problem = try answer.problem(.invalidPicture)
            #expect(problem.problem.detail?.contains(reason) == true, "\(problem)")
        }
        let guest = try await shop.guest()
        let answer = try await guest.send(
            "POST", "/v1/admin/pictures", bytes: Self.gif, headers: ["Content-Type": "image/gif"])
        try answer.problem(.forbidden)
    }
}

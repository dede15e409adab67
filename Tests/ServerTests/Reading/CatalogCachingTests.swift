import ServerTesting
import Testing

@Suite("ETags of the catalogue", .inShop())
struct CatalogCachingTests {
    private static let paths = [
        "/v1/products", "/v1/products?limit=1&sort=name", "/v1/products/cap", "/v1/seasons", "/v1/themes",
        "/v1/categories", "/v1/promotions",
    ]

    private let shop = TestShop.current

    @Test(arguments: paths)
    func `A response has a stable strong ETag, and a request with it gets 304`(path: String) async throws {
        let first = try await shop.anyone.send("GET", path)
        let etag = try #require(first.etag)
        #expect(etag.hasPrefix("\"") && etag.hasSuffix("\"") && etag.count > 10)
        #expect(first.header("Cache-Control")?.hasPrefix("public, max-age=") == true)
        #expect(first.header("Cache-Control")?.contains("stale-while-revalidate=") == true)
        shop.clock.advance(by: 600)
        let second = try await shop.anyone.send("GET", path)
        #expect(second.etag == etag && second.body == first.body)
        for known in [etag, "W/" + etag, "\"other\", \(etag)", "\"other\" ,W/\(etag),\"more\"", "*"] {
            let answer = try await shop.anyone.send("GET", path, headers: [HeaderName.ifNoneMatch: known])
            #expect(answer.status == 304 && answer.body.isEmpty && answer.etag == etag, "\(known)")
            #expect(answer.header("Cache-Control") == first.header("Cache-Control"))
            #expect(answer.header(HeaderName.requestId)?.isEmpty == false)
        }
        for other in ["\"other\"", String(etag.dropLast()), "", "W/\"other\"", etag.replacing("\"", with: "")] {
            #expect(try await shop.anyone.send("GET", path, headers: [HeaderName.ifNoneMatch: other]).status == 200)
        }
    }

    @Test(arguments: paths)
    func `Two servers on one database give the same ETag and the same bytes`(path: String) async throws {
        try await shop.another { other in
            let (one, two) = (try await shop.anyone.send("GET", path), try await other.anyone.send("GET", path))
            #expect(one.etag == two.etag && one.body == two.body)
        }
    }

    @Test func `Other queries have other ETags`() async throws {
        var etags: Set<String?> = []
        for query in ["limit=1", "limit=2", "sort=name&limit=1&inStock=false", "q=scarf", "facets=true"] {
            etags.insert(try await shop.anyone.call(Contract.products, query: query).etag)
        }
        #expect(etags.count == 5)
    }

    @Test func `An import changes only the ETags of the responses it changes`() async throws {
        let products = try await shop.anyone.send("GET", "/v1/products")
        let seasons = try await shop.anyone.send("GET", "/v1/seasons")
        try await shop.stock([.stocked("cap", price: 1100, category: "Hats")])
        shop.clock.advance(by: 1)
        let known = [HeaderName.ifNoneMatch: try #require(products.etag)]
        let changed = try await shop.anyone.send("GET", "/v1/products", headers: known)
        #expect(changed.status == 200 && changed.etag != products.etag)
        #expect(try await shop.anyone.send("GET", "/v1/seasons").etag == seasons.etag)
    }

    @Test func `An error response is never a 304 and never cached`() async throws {
        let answer = try await shop.anyone.send("GET", "/v1/products/new", headers: [HeaderName.ifNoneMatch: "*"])
        try answer.problem(.notFound)
        #expect(answer.header("Cache-Control") == "no-store")
        try await shop.stock([.stocked("new")])
        shop.clock.advance(by: 1)
        #expect(try await shop.anyone.send("GET", "/v1/products/new").status == 200)
    }

    @Test(.timeLimit(.minutes(5)))
    func `Each of thousands of different queries gets its own response`() async throws {
        for price in Array(0..<2_500) + [1_000] {
            let answer = try await shop.anyone.call(Contract.products, query: "minPrice=\(price)&maxPrice=\(price)")
            #expect(answer.status == 200)
            if price == 1_000 { #expect(try answer.good().items.map(\.handle) == ["cap"]) }
        }
    }
}

@Suite("Assets", .inShop([]))
struct AssetTests {
    private static let bytes = Data("<svg>0123456789</svg>".utf8)

    private let shop = TestShop.current

    init() async throws {
        let file = shop.folder.appending(path: "picture.svg")
        try Self.bytes.write(to: file)
        let assets = ["a/picture.svg", "a b/ü.bin"].map { FeedAsset(path: $0, file: file, byteCount: Self.bytes.count) }
        try await shop.feed(assets.map(FeedRecord.asset))
    }

    @Test func `A file is served as imported, with headers that forbid scripts`() async throws {
        let answer = try await shop.anyone.send("GET", "/assets/a/picture.svg")
        #expect(answer.status == 200 && answer.body == Self.bytes)
        #expect(answer.header("Content-Type") == "image/svg+xml")
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
        #expect(answer.header("Accept-Ranges") == "bytes")
        let other = try await shop.anyone.send("GET", "/assets/a%20b/%C3%BC.bin")
        #expect(other.status == 200 && other.header("Content-Type") == "application/octet-stream")
    }

    @Test(arguments: [
        ("bytes=0-4", 0..<5), ("bytes=5-5", 5..<6), ("bytes=15-", 15..<21), ("bytes=-3", 18..<21),
        ("bytes=0-999", 0..<21), ("bytes=-999", 0..<21), ("bytes=20-9223372036854775807", 20..<21),
    ])
    func `A range request returns that part of the file`(range: String, bounds: Range<Int>) async throws {
        let answer = try await shop.anyone.send("GET", "/assets/a/picture.svg", headers: ["Range": range])
        #expect(answer.status == 206 && answer.body == Self.bytes[bounds])
        #expect(answer.header("Content-Range") == "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/21")
    }

    @Test(arguments: ["bytes=21-", "bytes=100-200", "bytes=-0"])
    func `A range outside the file is refused`(range: String) async throws {
        let answer = try await shop.anyone.send("GET", "/assets/a/picture.svg", headers: ["Range": range])
        try answer.problem(.rangeNotSatisfiable)
        #expect(answer.header("Content-Range") == "bytes */21")
    }

    @Test(arguments: [
        "bytes=5-2", "bytes=a-b", "lines=1-2", "bytes", "bytes=0-1,3-4", "bytes=--1", "bytes=99999999999999999999-",
        "bytes=+1-2",
    ])
    func `An invalid or unsupported range is ignored`(range: String) async throws {
        let answer = try await shop.anyone.send("GET", "/assets/a/picture.svg", headers: ["Range": range])
        #expect(answer.status == 200 && answer.body == Self.bytes)
    }

    @Test func `If-Range returns the whole file when it changed`() async throws {
        let path = "/assets/a/picture.svg"
        let etag = try #require(try await shop.anyone.send("GET", path).etag)
        for (condition, status) in [(etag, 206), ("\"other\"", 200)] {
            let headers = ["Range": "bytes=0-1", "If-Range": condition]
            #expect(try await shop.anyone.send("GET", path, headers: headers).status == status)
        }
    }

    /// Imports a binary file as /assets/big.bin.
    private static func feed(_ shop: TestShop, _ bytes: Data) async throws {
        let file = shop.folder.appending(path: "big.bin")
        try bytes.write(to: file)
        try await shop.feed([.asset(FeedAsset(path: "big.bin", file: file, byteCount: bytes.count))])
    }

    /// Binary data with every byte value.
    private static let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    @Test(arguments: TestingSetupName.allCases)
    func `Full, partial, unchanged and HEAD responses have the ETag of the file`(setup: TestingSetupName) async throws {
        try await TestShop.open([], setup: setup.value) { shop in
            try await Self.feed(shop, Self.large)
            let path = "/assets/big.bin"
            let whole = try await shop.anyone.send("GET", path)
            let etag = try #require(whole.etag)
            #expect(whole.status == 200 && whole.body == Self.large)
            let middle = try await shop.anyone.send("GET", path, headers: ["Range": "bytes=149990-150009"])
            #expect(middle.status == 206 && middle.body == Self.large[149_990..<150_010] && middle.etag == etag)
            #expect(middle.header("Content-Range") == "bytes 149990-150009/300000")
            // HEAD ignores Range.
            for headers in [[:], ["Range": "bytes=5-9"]] {
                let head = try await shop.anyone.send("HEAD", path, headers: headers)
                #expect(head.status == 200 && head.body.isEmpty && head.etag == etag)
                #expect(head.header("Content-Length") == "300000" && head.header("Content-Range") == nil)
                #expect(head.header("Content-Type") == whole.header("Content-Type"))
            }
            // If-None-Match takes precedence over Range.
            for (method, headers) in [("GET", [:]), ("HEAD", [:]), ("GET", ["Range": "bytes=0-1"])]
                as [(String, [String: String])]
            {
                let unchanged = headers.merging([HeaderName.ifNoneMatch: etag]) { $1 }
                let known = try await shop.anyone.send(method, path, headers: unchanged)
                #expect(known.status == 304 && known.body.isEmpty && known.etag == etag)
            }
        }
    }

    @Test func `The ETag depends only on the bytes of the file`() async throws {
        try await Self.feed(shop, Self.large)
        let path = "/assets/big.bin"
        let etag = try #require(try await shop.anyone.send("GET", path).etag)
        var other = Self.large
        other[150_000] ^= 1
        try await Self.feed(shop, other)
        let changed = try await shop.anyone.send("GET", path, headers: [HeaderName.ifNoneMatch: etag])
        #expect(changed.status == 200 && changed.body == other && changed.etag != etag)
        try await Self.feed(shop, Self.large)
        #expect(try await shop.anyone.send("GET", path).etag == etag)
    }

    @Test(.timeLimit(.minutes(5)))
    func `A response during a replacement has the old or the new file, never a mixture`() async throws {
        let files = [Self.large, Data(Self.large.reversed().prefix(1_000))]
        try await Self.feed(shop, files[0])
        var known: [String: Data] = [:]
        for bytes in files.reversed() {
            try await Self.feed(shop, bytes)
            known[try #require(try await shop.anyone.send("GET", "/assets/big.bin").etag)] = bytes
        }
        let importer = Task { for round in 0..<100 { try await Self.feed(shop, files[round % 2]) } }
        let answers = try await parallel(4) { _ in
            var answers: [Answered<Void>] = []
            // The body of a file that is replaced while it is sent ends early, which is an error of the transport.
            for _ in 0..<150 {
                if let answer = try? await shop.anyone.send("GET", "/assets/big.bin") { answers.append(answer) }
            }
            return answers
        }
        try await importer.value
        #expect(answers.joined().count > 100)
        for answer in answers.joined() {
            let etag = try #require(answer.etag)
            #expect(answer.status == 200 && answer.body == known[etag])
        }
    }

    @Test func `An empty file is served, without ranges`() async throws {
        try await Self.feed(shop, Data())
        let answer = try await shop.anyone.send("GET", "/assets/big.bin")
        #expect(answer.status == 200 && answer.body.isEmpty && answer.etag != nil)
        try await shop.anyone.send("GET", "/assets/big.bin", headers: ["Range": "bytes=0-"])
            .problem(.rangeNotSatisfiable)
    }

    @Test(
        .oneShop,
        arguments: [
            "nothing.svg", "a", "../pouch.sqlite", "..%2Fpouch.sqlite", "%2e%2e/pouch.sqlite", "a/picture.svg%00",
            "a/picture.svg%00.png", "/etc/passwd", "%2Fetc%2Fpasswd", "%FF", "%",
            "a%2Fpicture.svg%2F..%2F..%2Fpouch.sqlite",
        ])
    func `Paths to other files are not found`(path: String) async throws {
        try await shop.anyone.send("GET", "/assets/" + path).problem(.notFound)
    }
}

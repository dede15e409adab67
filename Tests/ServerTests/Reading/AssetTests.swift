import Foundation
import PouchDomain
import PouchWire
import Testing

@Suite("Assets")
struct AssetTests {
    private static let bytes = Data("<svg>0123456789</svg>".utf8)

    /// A shop with two files.
    private func open(_ body: @escaping @Sendable (TestShop) async throws -> Void) async throws {
        try await TestShop.open([]) { shop in
            let file = shop.folder.appending(path: "picture.svg")
            try Self.bytes.write(to: file)
            let records = ["a/picture.svg", "a b/ü.bin"].map {
                FeedRecord.asset(FeedAsset(path: $0, file: file, byteCount: Self.bytes.count))
            }
            try await shop.feed(records)
            try await body(shop)
        }
    }

    @Test func `A file comes as it was imported, and must not run scripts`() async throws {
        try await open { shop in
            let answer = try await shop.anyone.send("GET", "/assets/a/picture.svg")
            #expect(answer.status == 200 && answer.body == Self.bytes)
            #expect(answer.header("Content-Type") == "image/svg+xml")
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
            #expect(answer.header("Accept-Ranges") == "bytes")
            let other = try await shop.anyone.send("GET", "/assets/a%20b/%C3%BC.bin")
            #expect(other.status == 200 && other.header("Content-Type") == "application/octet-stream")
        }
    }

    @Test(arguments: [
        ("bytes=0-4", 0..<5), ("bytes=5-5", 5..<6), ("bytes=15-", 15..<21), ("bytes=-3", 18..<21),
        ("bytes=0-999", 0..<21),
        ("bytes=-999", 0..<21), ("bytes=20-9223372036854775807", 20..<21),
    ])
    func `A range is a part of the file`(range: String, bounds: Range<Int>) async throws {
        try await open { shop in
            let answer = try await shop.anyone.send("GET", "/assets/a/picture.svg", headers: ["Range": range])
            #expect(answer.status == 206 && answer.body == Self.bytes[bounds])
            #expect(answer.header("Content-Range") == "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/21")
        }
    }

    @Test(arguments: ["bytes=21-", "bytes=100-200", "bytes=-0"])
    func `A range outside of the file cannot be given`(range: String) async throws {
        try await open { shop in
            let answer = try await shop.anyone.send("GET", "/assets/a/picture.svg", headers: ["Range": range])
            try answer.problem(.rangeNotSatisfiable)
            #expect(answer.header("Content-Range") == "bytes */21")
        }
    }

    @Test(arguments: [
        "bytes=5-2", "bytes=a-b", "lines=1-2", "bytes", "bytes=0-1,3-4", "bytes=--1", "bytes=99999999999999999999-",
        "bytes=+1-2",
    ])
    func `What is no range that we know is ignored`(range: String) async throws {
        try await open { shop in
            let answer = try await shop.anyone.send("GET", "/assets/a/picture.svg", headers: ["Range": range])
            #expect(answer.status == 200 && answer.body == Self.bytes)
        }
    }

    @Test func `The ETag gives 304, and guards a range`() async throws {
        try await open { shop in
            let etag = try #require(try await shop.anyone.send("GET", "/assets/a/picture.svg").etag)
            let known = try await shop.anyone.send(
                "GET", "/assets/a/picture.svg", headers: [HeaderName.ifNoneMatch: etag])
            #expect(known.status == 304 && known.body.isEmpty)
            for (condition, status) in [(etag, 206), ("\"other\"", 200)] {
                let answer = try await shop.anyone.send(
                    "GET", "/assets/a/picture.svg", headers: ["Range": "bytes=0-1", "If-Range": condition])
                #expect(answer.status == status)
            }
        }
    }

    @Test(arguments: [
        "/assets/nothing.svg", "/assets/a", "/assets/../pouch.sqlite", "/assets/..%2Fpouch.sqlite",
        "/assets/%2e%2e/pouch.sqlite",
        "/assets/a/picture.svg%00", "/assets/a/picture.svg%00.png", "/assets//etc/passwd", "/assets/%2Fetc%2Fpasswd",
        "/assets/%FF", "/assets/%", "/assets/a%2Fpicture.svg%2F..%2F..%2Fpouch.sqlite",
    ])
    func `There is no way to another file`(path: String) async throws {
        try await open { shop in
            try await shop.anyone.send("GET", path).problem(.notFound)
        }
    }
}

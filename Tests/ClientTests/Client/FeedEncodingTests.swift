import ClientTesting
import Foundation
import PouchClient
import PouchNetwork
import Testing

/// Bodies in another encoding than UTF-8.
@Suite(.timeLimit(.minutes(5)))
struct FeedEncodingTests {
    private static let name = "Frühjahr für Größen"
    private static let seasons = #"{"seasons":[{"id":"71","name":"\#(name)","themes":[]}]}"#

    private func names(_ type: String, _ body: Data, cache: URL? = nil) async throws -> [String] {
        let transport = StubTransport { request in
            guard request.url.path().hasSuffix("seasons.json") else { return .text(#"{"products":[]}"#) }
            return NetworkResponse(
                status: 200, headers: ["Content-Type": type, "ETag": "\"1\"", "Content-Length": "\(body.count)"],
                data: body)
        }
        let feed = try #require(URL(string: "http://127.0.0.1/feed"))
        let pouch = Pouch(
            feed: feed, transport: transport, cache: cache, network: NetworkOptions(retries: .once))
        return try await pouch.catalog.seasons().map(\.name)
    }

    @Test(arguments: [
        ("application/json; charset=ISO-8859-1", String.Encoding.isoLatin1),
        ("application/json;Charset=\"latin1\"", .isoLatin1),
        ("text/plain; format=flowed; charset=windows-1252", .windowsCP1252),
        ("application/json; charset=UTF-16LE", .utf16LittleEndian),
        ("application/json; charset=utf-8", .utf8),
        ("application/json; charset=x-unknown", .utf8),
        ("application/json", .utf8),
    ])
    func `a feed is read in the encoding that its web server states`(type: String, encoding: String.Encoding)
        async throws
    {
        let body = try #require(Self.seasons.data(using: encoding))
        #expect(try await names(type, body) == [Self.name])
    }

    @Test(
        arguments: [
            ([0xFE, 0xFF], .utf16BigEndian), ([0xFF, 0xFE], .utf16LittleEndian),
            ([0, 0, 0xFE, 0xFF], .utf32BigEndian), ([0xFF, 0xFE, 0, 0], .utf32LittleEndian),
        ] as [([UInt8], String.Encoding)])
    func `a mark of UTF-16 or UTF-32 counts more than what the web server states`(
        mark: [UInt8], encoding: String.Encoding
    ) async throws {
        let body = try #require(Self.seasons.data(using: encoding))
        #expect(try await names("application/json; charset=utf-8", Data(mark) + body) == [Self.name])
    }

    @Test func `a file in another encoding is read from the cache, too`() async throws {
        let folder = try TemporaryFolder()
        let body = try #require(Self.seasons.data(using: .isoLatin1))
        for _ in 0..<2 {
            #expect(try await names("application/json; charset=ISO-8859-1", body, cache: folder.url) == [Self.name])
        }
    }

    @Test(
        arguments: [
            ("text/plain; charset=iso-8859-1", [0xFC, 0x80], "ü€"),
            ("text/plain; charset=utf-8", [0xC3, 0xBC], "ü"),
            ("text/plain; charset=utf-8", [0xFC], "ü"),
            ("text/plain", [0xEF, 0xBB, 0xBF, 0x61], "a"),
            ("text/plain; charset=iso-8859-1", [0xFF, 0xFE, 0xFC, 0x00], "ü"),
            ("text/plain; charset=windows-1251", [0xC4], "Д"),
            ("text/plain; charset=shift_jis", [0x82, 0xA0], "あ"),
            ("text/plain; charset=klingon", [0xC3, 0xBC], "ü"),
            ("text/plain; charset=windows-1252", [0x81], "\u{81}"),
            ("text/plain", [], ""),
        ] as [(String, [UInt8], String)])
    func `text has the stated encoding, else that of its bytes`(type: String, bytes: [UInt8], text: String) {
        #expect(NetworkResponse(status: 200, headers: ["Content-Type": type], data: Data(bytes)).text == text)
    }

    @Test func `text without a type is UTF-8, or Latin-1`() {
        #expect(NetworkResponse(status: 200, data: Data("ü".utf8)).text == "ü")
        #expect(NetworkResponse(status: 200, data: Data([0x67, 0xFC])).text == "gü")
    }
}

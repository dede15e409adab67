import Foundation
import PouchNetwork
import Testing

struct RedactionTests {
    @Test func `neither printing nor dumping a payload shows tokens, passwords or answers`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1/v1/sessions"))
        let request = NetworkRequest(
            url: url, method: "POST", headers: ["authorization": "Bearer secret-token", "Accept": "a/b"],
            body: Data("secret-password".utf8))
        let transport = StubTransport { _ in NetworkResponse(status: 200, data: Data("secret-answer".utf8)) }
        // Of a time that has no such digits as are looked for.
        let session = NetworkSession(transport, now: { Date(timeIntervalSince1970: 0) })
        let payload = await NetworkOperation(request, in: session).run()
        var dumped = ""
        dump(payload, to: &dumped)
        for text in ["\(payload)", String(reflecting: payload), dumped] {
            #expect(!text.contains("secret"))
            // The bytes of a body as numbers would give it away as well.
            #expect(!text.contains("115"))
            #expect(text.contains("a/b"), "what is no secret is there to be read")
        }
    }

    @Test func `neither cookies nor the password in a URL are shown`() throws {
        let request = NetworkRequest(
            url: try #require(URL(string: "http://me:secret@127.0.0.1/path?q=1")),
            headers: ["Cookie": "id=secret", "set-cookie": "id=secret", "Proxy-Authorization": "secret"])
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", dumped, request.headers.fields.map { "\($0)" }.joined()] {
            #expect(!text.contains("secret"))
        }
        #expect("\(request)".contains("127.0.0.1/path?q=1"))
    }

    @Test func `header fields are found and replaced without regard to case`() {
        var headers: HeaderFields = ["etag": "1", "ETag": "2"]
        #expect(headers["ETAG"] == "1")
        headers["Etag"] = "3"
        #expect(headers.fields == [.init(name: "Etag", value: "3")])
        headers["etag"] = nil
        #expect(headers.fields.isEmpty)
    }
}

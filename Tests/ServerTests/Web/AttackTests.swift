import Foundation
import HTTPTypes
import PouchContract
import PouchEntities
import PouchWeb
import PouchWire
import Testing

@testable import PouchDomain

@Suite("The pages against hostile requests", .timeLimit(.minutes(3)))
struct AttackTests {
    // MARK: Forms that make much work

    /// Sends fields as `multipart/form-data`, which any form may come in.
    private func send(
        _ fields: [(name: String, value: String)], as visitor: WebVisitor, _ shop: TestShop, to path: String
    ) async throws -> RawAnswer {
        let parts = fields.map {
            "--b\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.value)\r\n"
        }
        let cookies = visitor.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        return try await shop.transport(
            .post, path, [.contentType: "multipart/form-data; boundary=b", .cookie: cookies, .accept: "text/html"],
            Data((parts.joined() + "--b--\r\n").utf8))
    }

    /// Swift sorts such marks to compare a text, in a time that grows with the square of their number. Of half a megabyte
    /// it took the server twenty seconds.
    @Test func `Texts with many combining marks in a row are refused in both encodings of a form`() async throws {
        try await TestShop.open([]) { shop in
            let visitor = WebVisitor(shop)
            let form = try await visitor.get("/sign-in").form("/sign-in")
            let typed = try form.filled(["email": "ada@example.com", "password": "12345678"])
            let marks = "a" + String(repeating: "\u{300}\u{323}", count: 50_000)
            let start = ContinuousClock.now
            for name in ["email", "remark"] {
                let fields = typed.filter { $0.name != name } + [(name: name, value: marks)]
                #expect(try await send(fields, as: visitor, shop, to: "/sign-in").status == 400, "\(name)")
                #expect(try await visitor.post("/sign-in", fields).status == 400, "\(name)")
            }
            let name = String(marks.prefix(1).unicodeScalars.prefix(1_000).map(Character.init))
            #expect(try await send(typed + [(name: name, value: "x")], as: visitor, shop, to: "/sign-in").status == 400)
            #expect(try await send(typed + [(name: "x", value: "\0")], as: visitor, shop, to: "/sign-in").status == 400)
            #expect(ContinuousClock.now - start < .seconds(5))
            // As people write them.
            let fields = typed.filter { $0.name != "password" } + [(name: "password", value: "Ze\u{301}non\u{308}12")]
            #expect(try await send(fields, as: visitor, shop, to: "/sign-in").status == 401)
        }
    }
}

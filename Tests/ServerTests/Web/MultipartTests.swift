import NIOCore
import ServerTesting
import Testing

@testable import PouchWeb

@Suite("The parser of forms with files", .timeLimit(.minutes(5)))
struct MultipartTests {
    private struct Part: Equatable {
        let head: MultipartHead
        var bytes: [UInt8] = []
        var isWhole = false
    }

    private static let boundary = "xYz"
    /// The file has everything that could be taken for a boundary.
    private static let file = "\r\n--xY\r\r\n--xY\r\n-\r--xYz--\r\n\r"
    private static let body = Array(
        """
        --xYz\r
        Content-Disposition: form-data; name="csrf"\r
        \r
        token\r
        --xYz\r
        content-disposition:form-data;  name="note"\r
        \r
        \r
        --xYz\r
        Content-Disposition: form-data; name="file"; filename="a.csv"\r
        Content-Type: text/csv\r
        \r
        \(file)\r
        --xYz--\r

        """.utf8)
    private static let parts = [
        Part(head: MultipartHead(field: "csrf"), bytes: Array("token".utf8), isWhole: true),
        Part(head: MultipartHead(field: "note"), isWhole: true),
        Part(
            head: MultipartHead(field: "file", fileName: "a.csv", mediaType: "text/csv"), bytes: Array(file.utf8),
            isWhole: true),
    ]

    /// - Returns: the parts, and whether the last boundary was found.
    private func parse(_ pieces: [some Collection<UInt8>]) throws -> (parts: [Part], isWhole: Bool) {
        var parser = try MultipartParser(boundary: Self.boundary)
        var (parts, isWhole): ([Part], Bool) = ([], false)
        for piece in pieces {
            parser.receive(ByteBuffer(bytes: Array(piece)))
            while let event = try parser.next() {
                switch event {
                case .part(let head): parts.append(Part(head: head))
                case .bytes(let bytes): parts[parts.count - 1].bytes += bytes.readableBytesView
                case .endOfPart: parts[parts.count - 1].isWhole = true
                case .end: isWhole = true
                }
            }
        }
        return (parts, isWhole)
    }

    @Test func `A body that is split at any byte has the same parts`() throws {
        let body = Self.body
        for place in 0...body.count {
            let (parts, isWhole) = try parse([body[..<place], body[place...]])
            #expect(parts == Self.parts && isWhole, "\(place)")
        }
        let (parts, isWhole) = try parse(body.map { [$0] })
        #expect(parts == Self.parts && isWhole)
    }

    @Test func `A body that ends early is never complete, and none of its parts is complete too soon`() throws {
        let body = Self.body
        // The line break behind the last boundary means nothing.
        for length in 0..<body.count - 2 {
            let (parts, isWhole) = try parse([body[..<length]])
            #expect(!isWhole, "\(length)")
            for (part, expected) in zip(parts, Self.parts) {
                #expect(expected.bytes.starts(with: part.bytes), "\(length)")
                if part.isWhole { #expect(part == expected, "\(length)") }
            }
        }
    }

    @Test(arguments: [
        "no boundary", "\r\nfirst\r\n--xYz\r\n", "--xYzz\r\n", "--xYz \r\n", "--xYz-x",
        "--xYz\r\nContent-Type: text/plain\r\n\r\n", "--xYz\r\nContent-Disposition: form-data\r\n\r\n",
        "--xYz\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n",
        "--xYz\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\n",
        "--xYz\r\nContent-Disposition: form-data; name=\"a\r\n\r\n",
        "--xYz\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n",
        "--xYz\r\nContent-Disposition form-data; name=\"a\"\r\n\r\n",
    ])
    func `A body that is not a form is refused`(body: String) {
        #expect(throws: MultipartError.malformed) { _ = try parse([Array(body.utf8)]) }
    }

    @Test func `A header of a part is limited in length`() throws {
        let name = String(repeating: "n", count: MultipartParser.maxHeaderBytes)
        let body = "--xYz\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
        #expect(throws: MultipartError.headerTooLarge) { _ = try parse([Array(body.utf8)]) }
        // Nor before its end is known, in pieces of any size.
        var parser = try MultipartParser(boundary: Self.boundary)
        parser.receive(ByteBuffer(string: "--xYz\r\n"))
        #expect(throws: MultipartError.headerTooLarge) {
            for _ in 0..<MultipartParser.maxHeaderBytes {
                parser.receive(ByteBuffer(string: "a: b\r\n"))
                _ = try parser.next()
            }
        }
    }

    @Test(arguments: ["", String(repeating: "b", count: 71), "a\"b", "a\r\nb", "b "])
    func `A text that is not a boundary is refused`(boundary: String) {
        #expect(throws: MultipartError.malformed) { try MultipartParser(boundary: boundary) }
    }

    @Test func `The name of a file is not read as the name of a field`() throws {
        func head(_ disposition: String) -> MultipartHead? {
            MultipartHead(lines: "Content-Disposition: form-data; \(disposition)")
        }
        #expect(head(#"filename="x; name=evil"; name="good""#)?.field == "good")
        #expect(head(#"filename="a\"; name=\"evil"; name="good""#)?.field == "good")
        #expect(head(#"name="address.line1""#) == MultipartHead(field: "address.line1"))
        #expect(head(#"name="q%22%0D%0A""#)?.field == "q\"\r\n")
        #expect(head(#"name="f"; filename="C:\photos\..\a.png""#)?.fileName == "a.png")
        #expect(head(#"name="f"; filename="../../etc/passwd""#)?.fileName == "passwd")
        #expect(head(#"name="f"; filename="""#)?.fileName == "")
        #expect(head(#"name="f""#)?.fileName == nil)
        #expect(head(#"name=plain; filename=a.png"#) == MultipartHead(field: "plain", fileName: "a.png"))
    }

    @Test func `The rows of a list are in the order of their places, without those of other lists`() {
        let form = FormBody(
            [
                ("images.7.url", "b"), ("images.7.place:int", "2"), ("images.12.url", "a"),
                ("images.12.place:int", "1"), ("images.1.url", "c"), ("images.1.remove:flag", "true"),
                ("images.__n__.url", "template"), ("imagesx.0.url", "other"), ("name", "n"),
                ("variants.0.options.1?", " M "),
            ].map { .init(name: $0.0, value: $0.1) })
        let rows = form.rows(of: "images", atMost: 3) { _ in true }
        #expect(rows.map { $0["url"] } == ["a", "b", "c"] && rows.map(\.isRemoved) == [false, false, true])
        #expect(form.rows(of: "images", atMost: 3).map { $0["url"] } == ["a", "b"])
        #expect(form.rows(of: "variants", atMost: 3).map { $0.fields.texts(of: "options") } == [[1: "M"]])
        #expect(form.without(["images", "variants"]).fields.map(\.name) == ["imagesx.0.url", "name"])
    }

    @Test func `Of a list that is too long, one item more than allowed is read, in the order of any numbers`() {
        let numbers = ["-1", "0", "9223372036854775807", "9223372036854775808", "7", "x", "", "-9223372036854775808"]
        let form = FormBody(numbers.map { .init(name: "options.\($0).name", value: $0) })
        let all = form.rows(of: "options", atMost: 10).map(\.number)
        #expect(all == [.min, -1, 0, 7, .max])
        #expect(form.rows(of: "options", atMost: 3).map(\.number) == [.min, -1, 0, 7])
    }
}

@Suite("Forms with files", .inShop(), .timeLimit(.minutes(5)))
struct MultipartFormTests {
    private let shop = TestShop.current
    private let owner: WebVisitor
    private let file = WebFile(name: "a.txt", mediaType: "text/plain", bytes: Data("Wool hat".utf8))

    init() async throws {
        owner = try await shop.member(.owner)
    }

    private func product(_ values: [String: String?]) async throws -> [(name: String, value: String)] {
        try await owner.get("/admin/products/new").form("/admin/products").filled(values)
    }

    @Test func `A form without files is the same in both encodings`() async throws {
        let fields = try await product([
            "name": "Wool hat", "description": "Warm\nand dry", "variants.0.sku": "wool-hat",
            "variants.0.price": "49,90",
        ])
        let answer = try await owner.post("/admin/products", WebFile.multipart(fields))
        #expect(answer.status == 303, "\(answer.text)")
        let made = try await shop.admin().product("wool-hat")
        #expect(made.details.description == "Warm\nand dry" && made.variants.map(\.price) == [Money(4_990, .eur)])
    }

    @Test func `A file where a text belongs, a cut body and too long texts change nothing`() async throws {
        let fields = try await product(["name": "Wool hat"])
        let (type, whole) = WebFile.multipart(fields)
        let end = try #require(whole.range(of: Data("\r\n--".utf8), options: .backwards))
        let bodies: [(body: (type: String, bytes: Data), status: Int)] = [
            (WebFile.multipart(fields.filter { $0.name != "name" }, ["name": file]), 400),
            ((type, whole[..<end.lowerBound] + Data("\r\n".utf8)), 400), ((type, whole.dropLast(6)), 400),
            (WebFile.multipart(fields + [("note", String(repeating: "x", count: 1 << 20))]), 413),
            (WebFile.multipart(fields + (0...5_000).map { (name: "note.\($0)", value: "") }), 413),
            ((type, Data()), 400),
        ]
        for (number, (body, status)) in bodies.enumerated() {
            let answer = try await owner.post("/admin/products", body)
            #expect(answer.status == status, "\(number): \(answer.status)")
        }
        #expect(try await shop.admin().call(Contract.managedProducts, query: "q=wool").good().items.isEmpty)
    }

    @Test func `A form in this encoding is refused without its token`() async throws {
        let fields = try await owner.get("/admin/import").form("/admin/import").fields.filter { $0.name != "csrf" }
        let body = WebFile.multipart(fields, ["file": file])
        #expect(try await owner.post("/admin/import", body, headers: ["Sec-Fetch-Site": ""]).status == 403)
    }
}

import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Pictures of products in the administration", .inShop())
struct AdminPictureTests {
    private let shop = TestShop.current

    private func file(_ bytes: Data, _ name: String = "a.gif", _ type: String = "image/gif") -> [String: WebFile] {
        ["picture": WebFile(name: name, mediaType: type, bytes: bytes)]
    }

    @Test func `Pictures are added, ordered and removed, and other files are refused`() async throws {
        let owner = try await shop.member(.owner)
        let address = "/admin/products/\(try await shop.stored("cap").id)"
        for files in [
            file(Data("<svg onload=alert(1)>".utf8), "a.svg", "image/svg+xml"), file(Data("no picture".utf8)),
            file(PictureTests.gif.prefix(8)), file(PictureTests.gif + Data(count: ModelLimits.pictureBytes)),
            file(Data(), ""),
        ] {
            let page = try await owner.submit(at: address, action: "/admin/pictures", files: files)
            #expect(page.status == 422 && page.heading == "Cap" && page.hasAlert, "\(files)")
        }
        let photo = try await owner.submit(
            at: address, action: "/admin/pictures", files: file(Data("photo".utf8), "IMG_1.HEIC", "image/heic"))
        #expect(photo.words.contains("This is a HEIC photo") && photo.words.contains("Save it as JPEG"))
        #expect(try await shop.stored("cap").details.images.isEmpty)
        _ = try await owner.submit(at: address, action: "/admin/pictures", files: file(PictureTests.gif))
        let other = file(PictureTests.gif + Data([1]), "b.gif")
        var page = try await owner.submit(at: address, action: "/admin/pictures", files: other)
        #expect(page.words.contains("The picture was added."))
        let urls = try await shop.stored("cap").details.images.map(\.url)
        #expect(urls.count == 2 && page.attributes(of: "img").contains { $0["src"] == urls[0] })
        page = try await owner.submit(
            page, action: address, ["images.0.place": "2", "images.1.place": "1", "images.1.alt": "Front"])
        let images = try await shop.stored("cap").details.images
        #expect(images.map(\.url) == urls.reversed() && images.first?.alt == "Front")
        _ = try await owner.submit(page, action: address, ["images.0.remove:flag": "true"])
        #expect(try await shop.stored("cap").details.images.map(\.url) == [urls[0]])
    }

    @Test func `Pictures that members add at the same time are all stored`() async throws {
        let address = "/admin/products/\(try await shop.stored("cap").id)"
        var visitors: [(WebVisitor, WebPage)] = []
        for number in 0..<4 {
            let visitor = try await shop.member(.owner, "owner\(number)@example.com")
            visitors.append((visitor, try await visitor.get(address)))
        }
        let added = try await parallel(4) { [visitors] number in
            let (visitor, page) = visitors[number]
            return try await visitor.submit(
                page, action: "/admin/pictures", files: file(PictureTests.gif + Data([UInt8(number)]))
            ).words
        }
        #expect(added.allSatisfy { $0.contains("The picture was added.") })
        #expect(try await shop.stored("cap").details.images.count == 4)
    }

    @Test func `A picture without TLS, which browsers do not load here, is left out of pages`() async throws {
        let id = try await shop.admin().change(product: "cap") {
            $0.images = [ProductImage(url: "http://example.com/cap.png", alt: "Cap")]
        }.good().id
        try await shop.readAgain()
        let buyer = WebVisitor(shop)
        let pages = [
            try await buyer.get("/product/cap"), try await buyer.add("cap", 1),
            try await shop.member(.owner).get("/admin/products/\(id)"),
        ]
        for page in pages {
            let sources = page.attributes(of: "img").compactMap { $0["src"] }
            #expect(page.status == 200 && !sources.contains { $0.hasPrefix("http:") }, "\(page.address)")
        }
    }

    @Test func `A script gets the picture's address, or the reason against it`() async throws {
        let owner = try await shop.member(.owner)
        let fields = try await owner.get("/admin/products/new").form("/admin/pictures").fields
        func send(_ bytes: Data) async throws -> WebPage {
            let body = WebFile.multipart(fields, file(bytes))
            return try await owner.post("/admin/pictures", body, headers: ["Accept": "application/json"])
        }
        let good = try await send(PictureTests.gif)
        #expect(good.status == 201, "\(good.text)")
        #expect(try await shop.anyone.send("GET", Picture(json: good.body).url).body == PictureTests.gif)
        let bad = try await send(Data("GIF".utf8))
        let problem = try ProblemDetails(json: bad.body).problem
        #expect(bad.status == 422 && problem.detail?.contains("does not match its type") == true)
    }
}

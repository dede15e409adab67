import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain

@Suite("Pictures of products in the administration")
struct AdminPictureTests {
    private static let gif = Data(Array("GIF89a".utf8) + [40, 0, 30, 0, 0, 0, 0])

    private func stored(_ key: String, in shop: TestShop) async throws -> ManagedProduct {
        try await shop.store.read { try #require(try $0.products.product(key, at: shop.clock.now)) }
    }

    @Test func `Pictures are added, ordered and taken away; what is no picture is refused`() async throws {
        try await TestShop.open { shop in
            let owner = try await shop.member(.owner)
            let address = "/admin/products/\(try await stored("cap", in: shop).id)"
            func upload(_ bytes: Data, _ name: String, _ type: String) async throws -> WebPage {
                try await owner.submit(
                    try await owner.get(address), action: "/admin/pictures",
                    files: ["picture": WebFile(name: name, mediaType: type, bytes: bytes)])
            }
            for (bytes, name, type) in [
                (Data("<svg onload=alert(1)>".utf8), "a.svg", "image/svg+xml"),
                (Data("no picture".utf8), "a.gif", "image/gif"), (Self.gif.prefix(8), "a.gif", "image/gif"),
                (Self.gif + Data(count: ModelLimits.pictureBytes), "a.gif", "image/gif"), (Data(), "", "image/gif"),
            ] {
                let page = try await upload(bytes, name, type)
                #expect(page.status == 422 && page.heading == "Cap" && page.text.contains(#"role="alert""#), "\(name)")
            }
            let photo = try await upload(Data("photo".utf8), "IMG_1.HEIC", "image/heic")
            #expect(photo.words.contains("This is a HEIC photo") && photo.words.contains("Save it as JPEG"))
            #expect(try await stored("cap", in: shop).details.images.isEmpty)
            _ = try await upload(Self.gif, "a.gif", "image/gif")
            var page = try await upload(Self.gif + Data([1]), "b.gif", "image/gif")
            #expect(page.words.contains("The picture was added."))
            let urls = try await stored("cap", in: shop).details.images.map(\.url)
            #expect(urls.count == 2 && page.attributes(of: "img").contains { $0["src"] == urls[0] })
            page = try await owner.submit(
                page, action: address, ["images.0.place": "2", "images.1.place": "1", "images.1.alt": "Front"])
            var images = try await stored("cap", in: shop).details.images
            #expect(images.map(\.url) == urls.reversed() && images.first?.alt == "Front")
            _ = try await owner.submit(page, action: address, ["images.0.remove:flag": "true"])
            images = try await stored("cap", in: shop).details.images
            #expect(images.map(\.url) == [urls[0]])
        }
    }

    @Test func `Pictures that members add at once are all there`() async throws {
        try await TestShop.open { shop in
            let address = "/admin/products/\(try await stored("cap", in: shop).id)"
            var visitors: [(WebVisitor, WebPage)] = []
            for number in 0..<4 {
                let visitor = try await shop.member(.owner, "owner\(number)@example.com")
                visitors.append((visitor, try await visitor.get(address)))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, (visitor, page)) in visitors.enumerated() {
                    let bytes = Self.gif + Data([UInt8(number)])
                    group.addTask {
                        let added = try await visitor.submit(
                            page, action: "/admin/pictures",
                            files: ["picture": WebFile(name: "a.gif", mediaType: "image/gif", bytes: bytes)])
                        #expect(added.words.contains("The picture was added."))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await stored("cap", in: shop).details.images.count == 4)
        }
    }

    @Test func `A picture without TLS, which browsers do not load here, is left out of pages`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            let id = try await admin.change(product: "cap") {
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
    }

    @Test func `A script gets the picture's address, or the reason against it`() async throws {
        try await TestShop.open { shop in
            let owner = try await shop.member(.owner)
            let page = try await owner.get("/admin/products/new")
            let fields = page.fields(of: "/admin/pictures")
            func send(_ bytes: Data) async throws -> Answered<Void> {
                var body = Data()
                for (name, value) in fields {
                    body += Data("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
                }
                let place = "form-data; name=\"picture\"; filename=\"a.gif\""
                body += Data("--b\r\nContent-Disposition: \(place)\r\nContent-Type: image/gif\r\n\r\n".utf8)
                body += bytes + Data("\r\n--b--\r\n".utf8)
                let cookies = owner.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
                return try await shop.anyone.send(
                    "POST", "/admin/pictures", bytes: body,
                    headers: [
                        "Accept": "application/json", "Content-Type": "multipart/form-data; boundary=b",
                        "Cookie": cookies,
                    ])
            }
            let good = try await send(Self.gif)
            #expect(good.status == 201, "\(good.text)")
            let picture = try Picture(json: good.body)
            #expect(try await shop.anyone.send("GET", picture.url).body == Self.gif)
            let bad = try await send(Data("GIF".utf8))
            let problem = try ProblemDetails(json: bad.body).problem
            #expect(bad.status == 422 && problem.detail?.contains("does not match its type") == true)
        }
    }
}

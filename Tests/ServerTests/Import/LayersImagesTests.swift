import Foundation
import PouchDomain
import PouchEntities
import PouchImport
import Testing

@Suite("The images of a LAYERS feed")
struct LayersImagesTests {
    private static func row(_ images: String) -> String {
        #"{"name": "A", "style": "71101", "category": "C", "price": {"retail": 1}, \#(images)}"#
    }

    @Test func `They are found beside the feed and come before their product`() throws {
        let row = Self.row(
            #""images": ["a.svg", "b 1.svg", "c.svg", "a.svg"], "gridImage": "d.svg", "promoImage": "a.svg""#)
        let files = [
            "products/a.svg": "<svg/>", "slides/b 1.svg": "<svg> </svg>", "images/c.svg": "", "d.svg": "",
        ]
        let records = try FeedFixture.layers(products: [row], files: files)
        #expect(records.reports == [])
        let paths = ["products/d.svg", "products/a.svg", "products/b 1.svg", "products/c.svg", "slides/a.svg"]
        #expect(records.assets.map(\.path) == paths)
        #expect(records.assets.map(\.byteCount) == [0, 6, 12, 0, 6])
        let product = try #require(records.products.first)
        let urls = ["d.svg", "a.svg", "b%201.svg", "c.svg"].map { "/assets/products/" + $0 }
        #expect(product.images?.map(\.url) == urls)
        #expect(product.images?.allSatisfy { $0.alt == "A" } == true)
        #expect(product.promoImage == .set(ProductImage(url: "/assets/slides/a.svg", alt: "A")))
        #expect(records.last == .product(product))
    }

    @Test func `A missing one is reported and keeps the product, and what the catalogue has when all are missing`()
        throws
    {
        let some = try FeedFixture.layers(
            products: [Self.row(#""images": ["a.svg", "none.svg"], "promoImage": "none.svg""#)],
            files: ["products/a.svg": ""])
        #expect(some.reports == ["2 images image_missing", "2 promoImage image_missing"])
        #expect(some.products.first?.images?.map(\.url) == ["/assets/products/a.svg"])
        #expect(some.products.first?.promoImage == nil)
        let none = try FeedFixture.layers(products: [Self.row(#""images": ["none.svg"]"#)])
        #expect(none.products.map(\.images) == [nil])
    }

    @Test(
        "A path never leads out of the feed's folder",
        arguments: [
            "../secret.svg", "/etc/hostname", "products/../../secret.svg", "./a.svg", "a//b.svg", "a\\\\b.svg", "..",
            "a\\u0000.svg", "link.svg", "links/secret.svg",
        ])
    func outside(path: String) throws {
        try FeedFixture.folder(["secret.svg": "<svg/>", "feed/products/a.svg": ""]) { folder in
            let feed = folder.appending(path: "feed")
            let links = [("products/link.svg", "secret.svg"), ("products/links", ".")]
            for (link, target) in links {
                try FileManager.default.createSymbolicLink(
                    at: feed.appending(path: link), withDestinationURL: folder.appending(path: target))
            }
            let json = "{\"products\": [\(Self.row("\"images\": [\"\(path)\"]"))]}"
            try Data(json.utf8).write(to: feed.appending(path: "products.json"))
            let records = try FeedFixture.all(LayersReader(folder: feed, currency: .eur))
            #expect(records.assets == [])
            #expect(records.reports == ["1 images path_outside_feed"])
            #expect(records.products.count == 1)
        }
    }

    @Test func `A link that stays inside is followed, also where the folder itself is reached by one`() throws {
        try FeedFixture.folder(["feed/originals/a.svg": "<svg/>"]) { folder in
            let feed = folder.appending(path: "feed")
            try FileManager.default.createSymbolicLink(
                at: feed.appending(path: "a.svg"), withDestinationURL: feed.appending(path: "originals/a.svg"))
            let way = folder.appending(path: "way")
            try FileManager.default.createSymbolicLink(at: way, withDestinationURL: feed)
            let json = "{\"products\": [\(Self.row("\"images\": [\"a.svg\"]"))]}"
            try Data(json.utf8).write(to: feed.appending(path: "products.json"))
            let records = try FeedFixture.all(LayersReader(folder: way, currency: .eur))
            #expect(records.reports == [])
            #expect(try records.assets.map { try Data(contentsOf: $0.file) } == [Data("<svg/>".utf8)])
        }
    }
}

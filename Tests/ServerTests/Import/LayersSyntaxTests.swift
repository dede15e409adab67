import ServerTesting
import Testing

@testable import PouchImport

@Suite("The JSON of a LAYERS feed")
struct LayersSyntaxTests {
    private func read(_ json: String, chunkSize: Int = 1 << 16) throws -> [FeedRecord] {
        try FeedFixture.folder(["products.json": json]) { folder in
            try FeedFixture.all(LayersReader(folder: folder, currency: .eur, defaultStock: 0, chunkSize: chunkSize))
        }
    }

    private func row(_ name: String) -> String { LayersReaderTests.row(name: name) }

    @Test(arguments: [1, 2, 3, 5, 8, 13])
    func `Any chunk size gives the same records`(size: Int) throws {
        let json =
            "\u{FEFF}{\"x\": [{\"products\": [\(row("no"))]}], \"y\": {\"products\": [1]},\r\n\"products\" : [\r\n"
            + row(#"é\"]}\\"#) + " ,\n " + row("{[b") + ",17,\n\n" + row("c") + "],\n\"products\": [\(row("again"))]}\n"
        let whole = try read(json)
        #expect(try read(json, chunkSize: size) == whole)
        #expect(whole.products.map(\.name) == ["é\"]}\\", "{[b", "c"])
        #expect(whole.products.map(\.line) == [3, 4, 6])
        #expect(whole.reports == ["4 - invalid"])
    }

    @Test func `An unterminated string excludes only its object`() throws {
        let open = ["{\"name\": \"open,\n\"style\": \"1\"}", "{\"name\": \"open, \"style\": {\"a\": [1, {\"b\": 2}]}}"]
        let records = try read("{\"products\": [\n\(open[0]),\n\(open[1]),\n\(row("b"))]}")
        #expect(records.reports == ["2 - malformed", "4 - malformed"])
        #expect(records.products.map(\.name) == ["b"])
    }

    @Test func `An object that is too long is skipped`() throws {
        let records = try read("{\"products\": [\n\(row(String(repeating: "x", count: 1 << 20))),\n\(row("b"))]}")
        #expect(records.reports == ["2 - too_long"])
        #expect(records.products.map(\.line) == [3])
    }

    @Test(arguments: [
        ("", 1), ("{\"products\": [\n{\"name\": 1", 2), ("{\"products\": [\n{}}\n]", 2), ("{}", 1), ("[]", 1),
        ("{\"products\": []}\n{}", 2), ("\nproducts", 2), ("{\"products\": {}}", 1), ("{\"products\": []", 1),
        ("{\"products\": [\n\n" + String(repeating: "[", count: 5000), 3),
    ])
    func `A malformed file is refused with the line`(json: String, line: Int) throws {
        let error = #expect(throws: FeedError.self) { try read(json) }
        guard case .malformed("products.json", line, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `The first product is returned before the rest of the file is read`() throws {
        let rows = (100..<5_100).map { row("\($0)") }.joined(separator: ",\n")
        try FeedFixture.folder(["products.json": "{\"products\": [\n\(rows)\n]}", "slides.json": "[]"]) { folder in
            var reader = try LayersReader(folder: folder, currency: .eur)
            _ = try reader.next()
            #expect(reader.progress.bytesRead <= 1 << 16)
            while try reader.next() != nil {}
            let total = "{\"products\": [\n\(rows)\n]}".utf8.count + 2
            #expect(reader.progress == FeedProgress(bytesRead: total, totalBytes: total, rows: 5_000))
        }
    }
}

@Suite("Images of a LAYERS feed")
struct LayersImagesTests {
    private static func row(_ images: String) -> String { LayersReaderTests.row(", " + images, name: "A") }

    @Test func `Images are found in the feed's folders and listed before their product`() throws {
        let row = Self.row(
            #""images": ["a.svg", "b 1.svg", "c.svg", "a.svg"], "gridImage": "d.svg", "promoImage": "a.svg""#)
        let files = ["products/a.svg": "<svg/>", "slides/b 1.svg": "<svg> </svg>", "images/c.svg": "", "d.svg": ""]
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

    @Test func `A missing image is reported and keeps the product; without any image, images stay unset`() throws {
        let row = Self.row(#""images": ["a.svg", "none.svg"], "promoImage": "none.svg""#)
        let some = try FeedFixture.layers(products: [row], files: ["products/a.svg": ""])
        #expect(some.reports == ["2 images image_missing", "2 promoImage image_missing"])
        #expect(some.products.first?.images?.map(\.url) == ["/assets/products/a.svg"])
        #expect(some.products.first?.promoImage == nil)
        let none = try FeedFixture.layers(products: [Self.row(#""images": ["none.svg"]"#)])
        #expect(none.products.map(\.images) == [nil])
    }

    @Test(arguments: [
        "../secret.svg", "/etc/hostname", "products/../../secret.svg", "./a.svg", "a//b.svg", "a\\\\b.svg", "..",
        "a\\u0000.svg", "link.svg", "links/secret.svg",
    ])
    func `An image path never leads out of the feed's folder`(path: String) throws {
        try FeedFixture.folder(["secret.svg": "<svg/>", "feed/products/a.svg": ""]) { folder in
            let feed = folder.appending(path: "feed")
            for (link, target) in [("products/link.svg", "secret.svg"), ("products/links", ".")] {
                try FileManager.default.createSymbolicLink(
                    at: feed.appending(path: link), withDestinationURL: folder.appending(path: target))
            }
            let json = "{\"products\": [\(Self.row("\"images\": [\"\(path)\"]"))]}"
            try Data(json.utf8).write(to: feed.appending(path: "products.json"))
            let records = try FeedFixture.all(LayersReader(folder: feed, currency: .eur))
            #expect(records.assets == [] && records.products.count == 1)
            #expect(records.reports == ["1 images path_outside_feed"])
        }
    }

    @Test func `Links within the feed's folder are followed, also when the folder itself is a link`() throws {
        try FeedFixture.folder(["feed/originals/a.svg": "<svg/>"]) { folder in
            let feed = folder.appending(path: "feed")
            try FileManager.default.createSymbolicLink(
                at: feed.appending(path: "a.svg"), withDestinationURL: feed.appending(path: "originals/a.svg"))
            let link = folder.appending(path: "alias")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: feed)
            let json = "{\"products\": [\(Self.row("\"images\": [\"a.svg\"]"))]}"
            try Data(json.utf8).write(to: feed.appending(path: "products.json"))
            let records = try FeedFixture.all(LayersReader(folder: link, currency: .eur))
            #expect(records.reports == [])
            #expect(try records.assets.map { try Data(contentsOf: $0.file) } == [Data("<svg/>".utf8)])
        }
    }
}

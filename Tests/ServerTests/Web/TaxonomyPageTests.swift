import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Stock and categories in the administration", .inShop(), .timeLimit(.minutes(5)))
struct TaxonomyPageTests {
    private let shop = TestShop.current
    private let owner: WebVisitor

    init() async throws {
        owner = try await shop.member(.owner)
    }

    /// Sends a form of the page of categories, seasons and themes.
    @discardableResult
    private func send(_ part: String, _ values: [String: String?]) async throws -> WebPage {
        try await owner.submit(at: "/admin/categories", action: "/admin/" + part, values)
    }

    @Test func `Buttons raise and lower the stock, and return to the chosen list`() async throws {
        var page = try await owner.get("/admin/stock")
        #expect(page.words.contains("scarf-s") && page.words.contains("cap"))
        page = try await owner.get("/admin/stock?low=true&threshold=2")
        #expect(page.words.contains("scarf-m") && !page.words.contains("scarf-s"))
        page = try await owner.submit(page, action: "/admin/variants/scarf-m", ["adjust": "1"])
        #expect(page.location == "/admin/stock?low=true&threshold=2#stock-scarf-m")
        #expect(page.words.contains("scarf-m: 3 available."))
        #expect(try await shop.available("scarf-m") == 3)
        page = try await owner.get("/admin/stock?sku=gloves")
        #expect(!page.words.contains("scarf"))
        page = try await owner.submit(page, action: "/admin/variants/gloves", ["available": "12"])
        #expect(try await shop.available("gloves") == 12)
        page = try await owner.submit(
            at: "/admin/stock?sku=gloves", action: "/admin/variants/gloves", ["available": "-1"])
        #expect(page.status == 422 && page.hasAlert && page.words.contains("gloves"))
    }

    @Test func `The category of products without one is in no menu until it is renamed`() async throws {
        let blanket = ProductTerms(name: "Blanket", status: .published, variants: [.size("M")])
        try await shop.admin().addProduct(blanket).good()
        try await shop.readAgain()
        let visitor = WebVisitor(shop)
        let (link, pages) = ("/category/uncategorised", ["/", "/product/blanket"])
        for page in pages { #expect(try await !visitor.get(page).links.contains(link), "\(page)") }
        #expect(try await visitor.get(link).words.contains("Blanket"))
        try await send("categories/uncategorised", ["name": "Odds & ends"])
        try await shop.readAgain()
        for page in pages { #expect(try await visitor.get(page).links.contains(link), "\(page)") }
    }

    @Test func `Categories, seasons and themes are added, renamed and deleted`() async throws {
        try await send("categories", ["id": "socks", "name": "Socks & <b>"])
        try await send("categories/socks", ["name": "Stockings"])
        var page = try await send("seasons", ["id": "ss27", "name": "Spring", "startsAt": "2027-03-01T08:00"])
        #expect(page.fields(of: "/admin/seasons/ss27")["startsAt!:time"] == "2027-03-01T08:00")
        try await send("themes", ["id": "salt", "name": "Salt", "seasonId": "ss27"])
        page = try await send("seasons/ss27", ["name": "Summer", "startsAt": ""])
        let (categories, seasons, themes) = try await shop.store.read {
            (try $0.taxonomy.categories(), try $0.taxonomy.seasons(), try $0.taxonomy.themes())
        }
        #expect(categories.contains { $0.id == "socks" && $0.name == "Stockings" })
        #expect(seasons == [Season(id: "ss27", name: "Summer")])
        #expect(themes == [Theme(id: "salt", name: "Salt", seasonId: "ss27")])
        page = try await owner.submit(page, action: "/admin/themes/salt/delete")
        page = try await owner.submit(page, action: "/admin/seasons/ss27/delete")
        page = try await owner.submit(page, action: "/admin/categories/socks/delete")
        #expect(page.words.contains("was deleted") && !page.words.contains("Stockings"))
        #expect(try await shop.store.read { try $0.taxonomy.seasons() }.isEmpty)
    }

    @Test func `Parts in use are not deleted and ids are not taken twice, and the page says why`() async throws {
        var page = try await owner.get("/admin/categories")
        let fields = page.fields(of: "/admin/categories/hats")
        page = try await owner.post("/admin/categories/hats/delete", ["csrf", "key"].map { ($0, fields[$0] ?? "") })
        #expect(page.status == 409 && page.words.contains("Move the products first"))
        page = try await owner.submit(page, action: "/admin/categories", ["id": "hats", "name": "Other"])
        #expect(page.status == 422 && page.words.contains("is already in use"))
        #expect(page.links.contains("#f-categories-id") && page.fields(of: "/admin/categories")["name"] == "Other")
        #expect(try await shop.store.read { try $0.taxonomy.category(id: "hats") }?.name == "Hats")
        page = try await owner.submit(page, action: "/admin/categories", ["id": "Not A Slug", "name": "x"])
        #expect(page.status == 422 && page.words.contains("single hyphens"))
    }

    @Test func `A row that is refused, and a new theme, keep what was typed`() async throws {
        for id in ["aw26", "ss27"] { try await send("seasons", ["id": id, "name": id]) }
        try await send("themes", ["id": "salt", "name": "Salt", "seasonId": "ss27"])
        var page = try await send("themes", ["id": "salt", "name": "Other", "seasonId": "ss27"])
        #expect(page.status == 422 && page.fields(of: "/admin/themes")["seasonId"] == "ss27")
        let season = "/admin/seasons/aw26"
        page = try await owner.submit(
            page, action: season, ["name": "Late", "startsAt": "2027-03-01T08:00", "endsAt": "2027-02-01T08:00"])
        #expect(page.status == 422)
        let fields = page.fields(of: season)
        #expect(fields["name"] == "Late" && fields["startsAt!:time"] == "2027-03-01T08:00")
        #expect(page.fields(of: "/admin/seasons/ss27")["name"] == "ss27")
        page = try await owner.submit(page, action: "/admin/themes/salt", ["name": " ", "seasonId": "aw26"])
        #expect(page.status == 422 && page.fields(of: "/admin/themes/salt")["seasonId"] == "aw26")
        #expect(try await shop.store.read { try $0.taxonomy.themes() }.map(\.seasonId) == ["ss27"])
    }

    @Test func `Each category has the number of its products, and parts in use have no button`() async throws {
        try await send("categories", ["id": "empty", "name": "Empty"])
        for id in ["aw26", "ss27"] { try await send("seasons", ["id": id, "name": id]) }
        for id in ["pine", "salt"] { try await send("themes", ["id": id, "name": id, "seasonId": "aw26"]) }
        try await shop.admin().change(product: "cap") {
            $0.seasonId = .set("ss27")
            $0.themeId = .set("pine")
        }.good()
        let page = try await owner.get("/admin/categories")
        for (part, isDeletable) in [
            ("categories/empty", true), ("categories/hats", false), ("seasons/aw26", false),
            ("seasons/ss27", false), ("themes/pine", false), ("themes/salt", true),
        ] { #expect(page.changes.contains("/admin/\(part)/delete") == isDeletable, "\(part)") }
        try await shop.store.read { repositories in
            let categories = try repositories.taxonomy.categories()
            #expect(categories.first { $0.id == "empty" }?.productCount == 0)
            #expect(try categories.allSatisfy { try repositories.taxonomy.category(id: $0.id) == $0 })
            #expect(try repositories.taxonomy.categoryNames().map(\.name) == categories.map(\.name))
        }
    }
}

@Suite("The front page in the administration", .inShop(), .timeLimit(.minutes(5)))
struct FrontPageAdminTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let path = "/admin/front-page"

    /// Gives two products the pictures that slides need.
    init() async throws {
        admin = try await shop.admin()
        for handle in ["cap", "scarf"] {
            try await admin.change(product: handle) {
                $0.images = [ProductImage(url: "https://example.com/\(handle).png", alt: handle)]
            }.good()
        }
    }

    private func promotions() async throws -> [ManagedPromotion] {
        try await admin.call(Contract.managedPromotions).good().items
    }

    @Test func `Concurrent edits of the front page by two members do not undo each other`() async throws {
        let (first, second) = (try await shop.member(.owner), try await shop.member(.manager))
        let (mine, theirs) = (try await first.get(path), try await second.get(path))
        _ = try await second.submit(theirs, action: path, ["items.0.product": "cap"])
        let conflict = try await first.submit(mine, action: path, ["items.0.product": "scarf"])
        #expect(conflict.status == 412 && conflict.words.contains("Another person saved the front page"))
        #expect(conflict.words.contains("The front page is now: Cap."))
        #expect(try await promotions().map(\.handle) == ["cap"])
        #expect(try await first.submit(conflict, action: path).status == 200)
        #expect(try await promotions().map(\.handle) == ["scarf"])
    }

    @Test func `Slides are added by a handle, ordered and taken away`() async throws {
        let manager = try await shop.member(.manager)
        var page = try await manager.submit(at: path, ["items.0.product": "cap"])
        page = try await manager.submit(page, action: path, ["items.1.product": "scarf"])
        page = try await manager.submit(
            page, action: path, ["items.0.place": "2", "items.1.place": "1", "items.1.image.alt": "A long scarf"])
        #expect(try await promotions().map(\.handle) == ["scarf", "cap"])
        #expect(try await promotions().first?.image.alt == "A long scarf")
        try await shop.readAgain()
        #expect(try await WebVisitor(shop).get("/").words.contains("Scarf"))
        page = try await manager.submit(page, action: path, ["items.2.product": "nothing"])
        #expect(page.status == 422 && page.words.contains("no product “nothing”"))
        #expect(page.fields(of: path)["items.2.product?"] == "nothing" && page.links.contains("#f-items-2-product"))
        page = try await manager.submit(page, action: path, ["items.2.product": "", "items.0.remove:flag": "true"])
        #expect(page.status == 200)
        #expect(try await promotions().map(\.handle) == ["cap"])
    }
}

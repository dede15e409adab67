import Foundation
import PouchContract
import PouchEntities
import PouchHTTP
import PouchImport
import PouchJSON
import PouchServer
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain

@Suite("Categories, seasons, themes and the front page by hand")
struct TaxonomyTests {
    @Test func `A category is made, renamed and taken away once no product is of it`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            func set(_ id: String, _ name: String) async throws -> Answered<PouchEntities.Category> {
                try await admin.call(Contract.setCategory, NameRequest(name: name), path: ["id": id])
            }
            #expect(try await set("knitwear", "Knitwear").good().productCount == 0)
            try await set("Not an id", "x").problem(.validationFailed)
            try await set("knitwear", " ").problem(.validationFailed)
            try await admin.change(product: "cap") { $0.category = "knitwear" }.good()
            #expect(try await set("knitwear", "Knits").good().productCount == 1)
            try await shop.readAgain()
            let seen = try await shop.anyone.call(Contract.categories).good().items
            #expect(seen.contains(PouchEntities.Category(id: "knitwear", name: "Knits", productCount: 1)))
            try await admin.call(Contract.deleteCategory, path: ["id": "knitwear"]).problem(.stillUsed)
            try await admin.change(product: "cap") { $0.category = "hats" }.good()
            try await admin.call(Contract.deleteCategory, path: ["id": "knitwear"]).good()
            try await admin.call(Contract.deleteCategory, path: ["id": "knitwear"]).problem(.notFound)
            let rest = try await admin.pages(Contract.managedCategories, limit: 1).joined().map(\.id)
            #expect(rest == ["hats", "scarves", "things"])
        }
    }

    @Test func `A season with its theme hides and shows its products by its times`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            let start = shop.clock.now.addingTimeInterval(60)
            func set(_ terms: SeasonTerms) async throws -> Answered<Season> {
                try await admin.call(Contract.setSeason, terms, path: ["id": "81"])
            }
            try await set(SeasonTerms(name: "Winter", startsAt: start, endsAt: start)).problem(.validationFailed)
            try await set(SeasonTerms(name: "Winter", startsAt: start)).good()
            let theme = ThemeRequest(name: "Alps", seasonId: "81")
            try await admin.call(Contract.setTheme, theme, path: ["id": "811"]).good()
            let stray = ThemeRequest(name: "Alps", seasonId: "none")
            try await admin.call(Contract.setTheme, stray, path: ["id": "812"]).problem(.validationFailed)
            try await admin.change(product: "cap") { ($0.seasonId, $0.themeId) = (.set("81"), .set("811")) }.good()
            try await shop.readAgain()
            try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).problem(.notFound)
            // An import keeps times that it does not name; by hand they are cleared.
            try await set(SeasonTerms(name: "Winter")).good()
            try await shop.readAgain()
            let cap = try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good()
            #expect(cap.seasonId == "81" && cap.themeId == "811")
            try await admin.call(Contract.deleteTheme, path: ["id": "811"]).problem(.stillUsed)
            try await admin.call(Contract.deleteSeason, path: ["id": "81"]).problem(.stillUsed)
            try await admin.change(product: "cap") { ($0.seasonId, $0.themeId) = (.clear, .clear) }.good()
            try await admin.call(Contract.deleteSeason, path: ["id": "81"]).problem(.stillUsed)
            try await admin.call(Contract.deleteTheme, path: ["id": "811"]).good()
            try await admin.call(Contract.deleteSeason, path: ["id": "81"]).good()
            #expect(try await admin.call(Contract.managedSeasons).good().items == [])
            #expect(try await admin.call(Contract.managedThemes).good().items == [])
        }
    }

    @Test func `The front page is set in its order, and shows what is published`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            let image = ProductImage(url: "https://shop.example/a.jpg", alt: "A")
            func set(_ items: [PromotionTerms]) async throws -> Answered<Page<ManagedPromotion>> {
                try await admin.call(Contract.setPromotions, PromotionsRequest(items: items))
            }
            try await set([PromotionTerms(product: "cap")]).problem(.validationFailed)
            try await set([PromotionTerms(product: "nosuch", image: image)]).problem(.validationFailed)
            let cap = try await admin.product("cap")
            let both = [PromotionTerms(product: "scarf", image: image), PromotionTerms(product: cap.id, image: image)]
            #expect(try await set(both).good().items.map(\.handle) == ["scarf", "cap"])
            try await admin.change(product: "scarf") { $0.status = .withdrawn }.good()
            try await shop.readAgain()
            #expect(try await shop.anyone.call(Contract.promotions).good().items.map(\.product.handle) == ["cap"])
            let all = try await admin.call(Contract.managedPromotions).good().items
            #expect(all.map(\.status) == [.withdrawn, .published] && all.map(\.position) == [0, 1])
            #expect(try await set([]).good().items == [])
        }
    }
}

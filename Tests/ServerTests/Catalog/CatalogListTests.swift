import PouchDomain
import PouchEntities
import Testing

@Suite("Seasons, themes, categories and promotions")
struct CatalogListTests {
    private let snapshot = CatalogSnapshot(
        CatalogContent(
            version: 1,
            currency: .eur,
            seasons: [Season(id: "72", name: "Winter"), Season(id: "71", name: "Summer")],
            themes: [
                Theme(id: "721", name: "Snow", seasonId: "72"), Theme(id: "712", name: "Sand", seasonId: "71"),
                Theme(id: "711", name: "Sea", seasonId: "71"),
            ],
            categoryNames: ["socks": "Socks", "hats": "Hats", "empty": "Empty"],
            products: [
                .sample("a", season: "71", category: "socks"), .sample("b", season: "72", category: "socks"),
                .sample("c", season: "72", category: "hats"), .sample("d", category: "unnamed", variants: []),
            ],
            promotions: [
                .init(productId: "c", image: ProductImage(url: "/assets/c.svg", alt: "C"), position: 2),
                .init(productId: "a", image: ProductImage(url: "/assets/a.svg", alt: "A"), position: 0),
            ]))

    @Test("Seasons and themes are in the order of their ids")
    func seasonsAndThemes() {
        #expect(snapshot.seasons.map(\.id) == ["71", "72"])
        #expect(snapshot.themes().map(\.id) == ["711", "712", "721"])
        #expect(snapshot.themes(season: "71").map(\.id) == ["711", "712"])
        #expect(snapshot.themes(season: "70").isEmpty)
    }

    @Test("Categories count their products in the asked season, and those without any are left out")
    func categories() {
        #expect(
            snapshot.categories() == [
                Category(id: "hats", name: "Hats", productCount: 1),
                Category(id: "socks", name: "Socks", productCount: 2),
                Category(id: "unnamed", name: "unnamed", productCount: 1),
            ])
        #expect(snapshot.categories(season: "71") == [Category(id: "socks", name: "Socks", productCount: 1)])
        #expect(snapshot.categories(season: "70") == [])
    }

    @Test("Promotions are in the order of their positions")
    func promotions() {
        #expect(snapshot.promotions.map(\.product.id) == ["a", "c"])
        #expect(snapshot.promotions.map(\.position) == [0, 2])
    }
}

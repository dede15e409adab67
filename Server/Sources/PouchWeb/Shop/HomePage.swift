import PouchDomain
import PouchEntities
import PouchTemplates

struct HomeValues: PageModel {
    /// A featured product.
    struct Slide: TemplateValues {
        let name, url, price: String
        let image: PictureValues
        let text, compareAtPrice: String?
        /// The season and theme, such as “Autumn/Winter 2026 · Northern Pine”.
        let collection: String?
    }

    struct Season: TemplateValues {
        let name, url: String
        let themes: [CollectionLink]
        let image: PictureValues?
    }

    struct Category: TemplateValues {
        let name, url, count: String
        let image: PictureValues?
    }

    let hero: Slide?
    let newProducts: [ProductCard]
    /// The slides after the hero.
    let slides: [Slide]
    let seasons: [Season]
    let categories: [Category]
    let isEmptyShop: Bool
}

/// The front page: featured products, new ones, seasons and categories.
struct HomePage {
    private static let newProducts = 8
    /// The maximum number of categories with a picture, since finding one searches the catalogue.
    private static let categoriesWithPicture = 60
    private static let namedCategories = 5

    let visit: Visit
    let catalog: CatalogReading

    private var products: ProductValues { ProductValues(visit: visit) }

    var content: PageContent {
        let slides = catalog.promotions.compactMap(slide)
        let new = (try? catalog.page(ProductQuery(sort: .newest, limit: Self.newProducts), after: nil).items) ?? []
        let seasons = catalog.seasons.map(season)
        let found = catalog.categories(season: nil).filter(\.isNamed)
        let categories = found.enumerated().map { category($1, hasPicture: $0 < Self.categoriesWithPicture) }
        let values = HomeValues(
            hero: slides.first, newProducts: new.enumerated().map { products.card($1, isEager: $0 < 4) },
            slides: Array(slides.dropFirst()), seasons: seasons, categories: categories, isEmptyShop: found.isEmpty)
        var content = PageContent(values, title: visit.site.settings.shopName)
        content.canonicalPath = "/"
        content.picture = (catalog.promotions.first?.image).flatMap(ProductValues.address)
        content.description = description(found)
        content.facts = StructuredData.text([
            StructuredData.shop(
                visit.site.settings.shopName, url: visit.site.absolute("/"),
                search: visit.site.absolute(PagePath.search))
        ])
        return content
    }

    /// A description with the largest categories, such as “Atelier: Cardigans, Hats and more.”.
    private func description(_ categories: [PouchEntities.Category]) -> String? {
        guard !categories.isEmpty else { return nil }
        let largest = categories.sorted { $0.productCount > $1.productCount }.prefix(Self.namedCategories)
        let names = largest.map(\.name).joined(separator: ", ")
        return visit.text("home-description", visit.site.settings.shopName, names)
    }

    private func slide(_ promotion: Promotion) -> HomeValues.Slide? {
        let product = promotion.product
        guard let image = products.image(promotion.image) else { return nil }
        return HomeValues.Slide(
            name: product.name, url: PagePath.product(product.handle), price: products.price(product), image: image,
            text: product.description.map { ProductPage.excerpt(String($0.prefix { $0 != "\n" })) },
            compareAtPrice: products.compareAtPrice(product), collection: collection(of: product))
    }

    private func collection(of product: Product) -> String? {
        let season = catalog.seasons.first { $0.id == product.seasonId }?.name
        let theme = catalog.themes(season: product.seasonId).first { $0.id == product.themeId }?.name
        let names = [season, theme].compactMap(\.self)
        return names.isEmpty ? nil : names.joined(separator: " · ")
    }

    private func season(_ season: Season) -> HomeValues.Season {
        HomeValues.Season(
            name: season.name, url: PagePath.season(season.id),
            themes: catalog.themes(season: season.id).map { theme in
                CollectionLink(name: theme.name, url: PagePath.season(season.id, theme: theme.id))
            },
            image: picture(ProductQuery(season: season.id, limit: 1)))
    }

    private func category(_ category: PouchEntities.Category, hasPicture: Bool) -> HomeValues.Category {
        HomeValues.Category(
            name: category.name, url: PagePath.category(category.id),
            count: visit.language.number(category.productCount),
            image: hasPicture ? picture(ProductQuery(category: category.id, limit: 1)) : nil)
    }

    /// The picture of the first product that a query finds.
    private func picture(_ query: ProductQuery) -> PictureValues? {
        let found = try? catalog.page(query, after: nil)
        return found?.items.first?.images.first.flatMap { products.image($0) }
    }
}

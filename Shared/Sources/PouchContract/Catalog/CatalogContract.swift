import PouchEntities
import PouchWire

extension Contract {
    public static let seasons = Exchange<NoBody, Page<Season>>(.seasons, .cached)
    public static let themes = Exchange<NoBody, Page<Theme>>(.themes, query: SeasonQuery.self, .cached)
    public static let categories = Exchange<NoBody, Page<Category>>(.categories, query: SeasonQuery.self, .cached)
    public static let promotions = Exchange<NoBody, Page<Promotion>>(.promotions, .cached)
    public static let products = Exchange<NoBody, ProductPage>(
        .products, query: ProductQuery.self, .cached, problems: [.cursorExpired])
    public static let product = Exchange<NoBody, Product>(.product, query: NoQuery.self, .cached)
    public static let availability = Exchange<NoBody, Page<Availability>>(.availability, query: AvailabilityQuery.self)

    static let catalog: [any AnyExchange] = [
        seasons, themes, categories, promotions, products, product, availability,
    ]
}

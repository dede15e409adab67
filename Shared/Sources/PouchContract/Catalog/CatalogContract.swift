import PouchEntities
import PouchWire

extension Contract {
    public static let seasons = Exchange<NoBody, Page<Season>>(.seasons)
    public static let themes = Exchange<NoBody, Page<Theme>>(.themes)
    public static let categories = Exchange<NoBody, Page<Category>>(.categories)
    public static let promotions = Exchange<NoBody, Page<Promotion>>(.promotions)
    public static let products = Exchange<NoBody, ProductPage>(.products)
    public static let product = Exchange<NoBody, Product>(.product)
    public static let availability = Exchange<NoBody, Page<Availability>>(.availability)

    static let catalog: [any AnyExchange] = [
        seasons, themes, categories, promotions, products, product, availability,
    ]
}

extension Endpoint {
    public static let seasons = Endpoint("seasons", .get, "/v1/seasons", .anyone)
    public static let themes = Endpoint("themes", .get, "/v1/themes", .anyone)
    public static let categories = Endpoint("categories", .get, "/v1/categories", .anyone)
    public static let promotions = Endpoint("promotions", .get, "/v1/promotions", .anyone)
    public static let products = Endpoint("products", .get, "/v1/products", .anyone)
    public static let product = Endpoint("product", .get, "/v1/products/{handle}", .anyone)
    public static let availability = Endpoint("availability", .get, "/v1/availability", .anyone)

    static let catalog = [seasons, themes, categories, promotions, products, product, availability]
}

import Foundation
import PouchContract
import PouchData
import PouchEntities
import PouchNetwork
import PouchWire

// The catalogue of a test shop.

extension TestShop.World {
    func catalogAnswer(_ call: TestCall) throws(Refusal) -> NetworkResponse? {
        switch call.endpoint {
        case Contract.shop: return .json(ShopProfile(currency: currency, country: "DE", timeZone: "GMT"))
        case Contract.seasons: return try call.page(of: seasons, call.query(PageQuery.self), by: \.id)
        case Contract.themes:
            let query = try call.query(SeasonQuery.self)
            let found = themes.filter { query.season == nil || $0.seasonId == query.season }
            return try call.page(of: found, query.page, by: \.id)
        case Contract.categories:
            let query = try call.query(SeasonQuery.self)
            return try call.page(of: categories(of: query.season), query.page, by: \.id)
        case Contract.promotions:
            let found = promotions.sorted { $0.position < $1.position }
                .map { Promotion(product: current($0.product), image: $0.image, position: $0.position) }
            return try call.page(of: found, call.query(PageQuery.self)) { "\($0.position) \($0.product.id)" }
        case Contract.products: return .json(try page(call.query(ProductQuery.self, currency: currency)))
        case Contract.product:
            guard let product = products.first(where: { $0.handle == call.parameter }) else { throw Refusal(.notFound) }
            return .json(current(product))
        case Contract.availability:
            let found = try call.query(AvailabilityQuery.self).skus.map { sku in
                price(of: sku).map { Availability(sku: sku, price: $0, available: available(sku)) }
                    ?? Availability(unknown: sku)
            }
            return .json(Page(items: found))
        case Contract.asset:
            guard let data = assets[call.parameter] else { throw Refusal(.notFound) }
            return NetworkResponse(status: 200, headers: ["Content-Type": "application/octet-stream"], data: data)
        default: return nil
        }
    }

    private func categories(of season: String?) -> [PouchEntities.Category] {
        let found = products.filter { season == nil || $0.seasonId == season }
        return Dictionary(grouping: found, by: \.category).sorted { $0.key < $1.key }
            .map { Category(id: $0.key, name: $0.key.capitalized, productCount: $0.value.count) }
    }

    /// A page by the rules of a local store. The newest products have the highest ids, so descending ids represent the
    /// order of the catalogue.
    private func page(_ query: ProductQuery) throws(Refusal) -> ProductPage {
        var query = query
        query.limit = min(query.limit ?? Limits.defaultPageSize, pageSize)
        let isNewest = query.effectiveSort == .newest
        let numbered = products.enumerated().map { index, product in
            var product = current(product)
            if isNewest { product.id = String(9_999_999 - index) }
            return product
        }
        do throws(StoreError) {
            let page = try query.page(of: numbered)
            let found = page.items.compactMap { item in
                products.first { $0.handle == item.handle }.map { current($0) }
            }
            return ProductPage(items: found, nextCursor: page.nextCursor, facets: page.facets)
        } catch {
            throw Refusal(.invalidCursor)
        }
    }

    // MARK: Prices and stock

    /// The product with the current prices and stock.
    private func current(_ product: Product) -> Product {
        product.with(
            product.variants.map { variant in
                let price = prices[variant.sku].map { Money($0, variant.price.currency) } ?? variant.price
                return Availability(sku: variant.sku, price: price, available: stock[variant.sku] ?? variant.available)
            })
    }

    private func found(_ sku: String) -> (product: Product, variant: Variant)? {
        for product in products {
            if let variant = product.variants.first(where: { $0.sku == sku }) { return (product, variant) }
        }
        return nil
    }

    var currency: Currency { products.first?.price.currency ?? .eur }

    /// nil for a SKU that the shop does not sell.
    func price(of sku: String) -> Money? {
        let known = found(sku)?.variant.price ?? (sellsAnySKU ? Money(1_000, currency) : nil)
        return known.map { Money(prices[sku] ?? $0.amount, $0.currency) }
    }

    func available(_ sku: String) -> Int { stock[sku] ?? found(sku)?.variant.available ?? 999 }

    /// Removes units from the stock, or returns them for a negative number. SKUs that are not in the catalogue never
    /// run out.
    mutating func take(_ units: Int, of sku: String) {
        if stock[sku] != nil || found(sku) != nil { stock[sku] = available(sku) - units }
    }

    func line(_ item: Item) -> CartLine? {
        guard let price = price(of: item.sku), let total = try? price.multiplied(by: item.quantity) else { return nil }
        let known = found(item.sku)
        return CartLine(
            sku: item.sku, productHandle: known?.product.handle ?? item.sku, name: known?.product.name ?? item.sku,
            image: known?.product.images.first, options: known?.variant.options ?? [:], quantity: item.quantity,
            unitPrice: price, lineTotal: total, discount: .zero(price.currency), available: available(item.sku))
    }
}

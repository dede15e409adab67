import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

extension PageRoutes {
    func addProductPage() {
        catalog("/product/{handle}", parameters: ["sku"], missing: { try await $0.withdrawnProduct() }) {
            visit, catalog in
            guard let product = catalog.product(handle: try visit.parameter("handle")) else {
                throw RequestProblem(.notFound)
            }
            return ProductPage(visit: visit, catalog: catalog, product: product).content
        }
    }

    /// Creates the page of the product whose SKU is in the submitted form, for forms that add to the cart.
    func productPageOfSKU() -> Make {
        { [site] visit in
            let catalog = CatalogReading(try await site.services.catalog.current())
            guard let sku = visit.form?["sku"], let product = catalog.snapshot.variant(sku: sku)?.product else {
                throw visit.failure?.problem ?? RequestProblem(.notFound)
            }
            return ProductPage(visit: visit, catalog: catalog, product: product).content
        }
    }
}

struct ProductPageValues: PageModel {
    struct Product: TemplateValues {
        let name: String
        /// The season and theme; nil unless the season is visible.
        let collection: CollectionLink?
        let images: [Image]
        let hasManyImages: Bool
        let price: String
        let compareAtPrice: String?
        let taxNote: String
        let hasOptions: Bool
        let options: [Option]
        let hasVariants: Bool
        let variants: [Variant]
        /// The SKU and stock of the chosen variant.
        let sku, stock: String
        let isLow, isSoldOut: Bool
        let quantity: String
        let deliveryNotes, paragraphs: [String]
        let details: [Detail]
    }

    struct Image: TemplateValues {
        let id, url, alt: String
        /// The option value that the picture shows, as in `Variant.optionKey`; blank for none.
        let optionValue: String
        let isEager: Bool
    }

    struct Option: TemplateValues {
        let name: String
        let values: [OptionValue]
    }

    struct OptionValue: TemplateValues {
        let field, value: String
        /// The value, as in `Variant.optionKey`.
        let choice: String
        let isSelected: Bool
    }

    struct Variant: TemplateValues {
        let sku, label: String
        /// The values of the options, separated by `|`.
        let optionKey: String
        let price, stock: String
        /// The previous price; blank for none.
        let before: String
        let isLow, isSoldOut, isSelected: Bool
    }

    struct Detail: TemplateValues {
        let name: String
        let isOpen: Bool
        let lines: [String]
    }

    let breadcrumb: [Breadcrumb.Step]
    let product: Product
    let related: [ProductCard]
}

/// The page of a product: pictures, options, stock, delivery and details.
struct ProductPage {
    private static let related = 4

    let visit: Visit
    let catalog: CatalogReading
    let product: Product

    private var texts: ProductValues { ProductValues(visit: visit) }

    var content: PageContent {
        let breadcrumb = breadcrumb
        let related = Self.related(to: product, catalog)
        let url = visit.site.absolute(PagePath.product(product.handle))
        var content = PageContent(
            ProductPageValues(
                breadcrumb: breadcrumb.values(visit), product: values,
                related: related.map { texts.card($0) }),
            title: product.name)
        content.description = product.description.map { Self.excerpt($0) } ?? collection?.name
        content.canonicalPath = PagePath.product(product.handle)
        content.address = content.canonicalPath
        content.kind = "product"
        content.picture = product.images.first.flatMap(ProductValues.address)
        content.price = product.price
        content.facts = StructuredData.text([
            StructuredData.product(
                product, url: url, pictures: product.images.compactMap(ProductValues.address).map(visit.site.absolute)),
            breadcrumb.facts(visit),
        ])
        return content
    }

    /// The start of a description, up to the end of a word.
    static func excerpt(_ text: String, length: Int = 200) -> String {
        let line = text.singleLine
        guard line.count > length else { return line }
        let beginning = line.prefix(length)
        return beginning[..<(beginning.lastIndex(of: " ") ?? beginning.endIndex)] + "…"
    }

    private var breadcrumb: Breadcrumb {
        let category = catalog.namedCategory(id: product.category).map { ($0.name, PagePath.category($0.id)) }
        return Breadcrumb([category, (product.name, PagePath.product(product.handle))].compactMap(\.self))
    }

    /// The season and theme, such as “Autumn/Winter 2026 · Northern Pine”, while the season is visible.
    private var collection: CollectionLink? {
        guard let season = catalog.seasons.first(where: { $0.id == product.seasonId }) else { return nil }
        let theme = catalog.themes(season: season.id).first { $0.id == product.themeId }
        let name = [season.name, theme?.name].compactMap(\.self).joined(separator: " · ")
        return CollectionLink(name: name, url: PagePath.season(season.id, theme: theme?.id))
    }

    /// Products in stock from the same theme, then from the same category.
    static func related(to product: Product, _ catalog: CatalogReading) -> [Product] {
        var found: [Product] = []
        let queries = [
            product.themeId.map { ProductQuery(season: product.seasonId, theme: $0) },
            ProductQuery(category: product.category),
        ]
        for var query in queries.compactMap(\.self) {
            (query.inStock, query.limit) = (true, related * 2 + 1)
            let more = (try? catalog.page(query, after: nil).items) ?? []
            found += more.filter { new in new.id != product.id && !found.contains { $0.id == new.id } }
        }
        return Array(found.prefix(related))
    }

    // MARK: The product

    private var values: ProductPageValues.Product {
        let isChoice = product.variants.count > 1
        let chosen = chosen
        let stock = chosen.map(texts.stock)
        let images = images
        let notes = chosen.map(deliveryNotes) ?? []
        let price = chosen.map { visit.language.price($0.price) }
        let paragraphs = (product.description ?? "").split(whereSeparator: \.isNewline).map(String.init)
        return ProductPageValues.Product(
            name: product.name, collection: collection, images: images, hasManyImages: images.count > 1,
            price: price ?? texts.price(product), compareAtPrice: chosen.flatMap(before), taxNote: visit.pricesNote,
            hasOptions: isChoice && !product.options.isEmpty, options: options(chosen), hasVariants: isChoice,
            variants: variants(chosen), sku: chosen?.sku ?? "", stock: stock?.text ?? visit.text("stock-none"),
            isLow: stock?.isLow ?? false, isSoldOut: stock?.isSoldOut ?? true,
            quantity: visit.enteredValue("quantity", default: "1"), deliveryNotes: notes, paragraphs: paragraphs,
            details: details)
    }

    /// The variant that the visitor chose, if it is in stock; otherwise the first one in stock.
    private var chosen: Variant? {
        let sku = visit.form?["sku"] ?? visit.query("sku")
        let inStock = product.variants.filter { $0.available > 0 }
        return inStock.first { $0.sku == sku } ?? inStock.first ?? product.variants.first
    }

    private func before(_ variant: Variant) -> String? {
        guard let before = variant.compareAtPrice, before.amount > variant.price.amount else { return nil }
        return visit.language.price(before)
    }

    private var images: [ProductPageValues.Image] {
        let found = product.images.compactMap { image in texts.image(image).map { (image: image, picture: $0) } }
        return found.enumerated().map { place, found in
            ProductPageValues.Image(
                id: "picture-\(place + 1)", url: found.picture.url, alt: found.picture.alt,
                optionValue: product.value(shownBy: found.image).map(Self.code(of:)) ?? "", isEager: place == 0)
        }
    }

    // MARK: Choices

    private func options(_ chosen: Variant?) -> [ProductPageValues.Option] {
        product.options.enumerated().map { place, option in
            ProductPageValues.Option(
                name: option.name,
                values: option.values.map { value in
                    .init(
                        field: "option-\(place)", value: value, choice: Self.code(of: value),
                        isSelected: chosen?.options[option.name] == value)
                })
        }
    }

    private func variants(_ chosen: Variant?) -> [ProductPageValues.Variant] {
        product.variants.map { variant in
            let stock = texts.stock(variant)
            let values = product.options.map { variant.options[$0.name] ?? "" }
            let label = values.filter { !$0.isEmpty }.joined(separator: ", ")
            return ProductPageValues.Variant(
                sku: variant.sku, label: label.isEmpty ? variant.sku : label,
                optionKey: values.map(Self.code(of:)).joined(separator: "|"),
                price: visit.language.price(variant.price), stock: stock.text, before: before(variant) ?? "",
                isLow: stock.isLow, isSoldOut: stock.isSoldOut,
                isSelected: variant.sku == chosen?.sku && !stock.isSoldOut)
        }
    }

    /// An option value with `|` and `\` escaped, because the script joins values with `|`.
    private static func code(of value: String) -> String {
        value.unicodeScalars.map { $0 == "|" ? "\\p" : $0 == "\\" ? "\\\\" : String($0) }.joined()
    }

    // MARK: Notes

    /// The delivery notes for one unit to the shop's own country, the most common case.
    private func deliveryNotes(_ variant: Variant) -> [String] {
        let home = Destination(country: visit.site.shop.country)
        let notes = visit.site.shop.shipping.compactMap { tariff -> String? in
            guard let method = tariff.method(to: home, grams: variant.weightGrams ?? 0, goods: variant.price) else {
                return nil
            }
            guard method.price.amount > 0 else {
                return visit.text("delivery-free", tariff.name, tariff.estimate)
            }
            let price = visit.language.price(method.price)
            guard let limit = tariff.region(for: home)?.freeFrom else {
                return visit.text("delivery-price", tariff.name, tariff.estimate, price)
            }
            return visit.text(
                "delivery-price-or-free", tariff.name, tariff.estimate, price, visit.language.price(limit))
        }
        guard visit.site.environment.courier != nil, let place = visit.site.shop.place else { return notes }
        return notes + [visit.text("delivery-courier", place.name)]
    }

    private var details: [ProductPageValues.Detail] {
        let care =
            [product.materials?.joined(separator: ", ") ?? ""]
            + (product.careInstructions ?? "").split(whereSeparator: \.isNewline).map(String.init)
        let weights = Set(product.variants.compactMap(\.weightGrams))
        let weight = weights.count == 1 ? weights.first : nil
        let facts = [
            product.styleCode.map { visit.text("product-style", $0) } ?? "",
            weight.map { visit.text("product-weight", visit.language.number($0)) } ?? "",
        ]
        let sections = [("product-material", care, true), ("product-details", facts, false)]
        return sections.compactMap { key, lines, isOpen -> ProductPageValues.Detail? in
            let lines = lines.filter { !$0.isEmpty }
            guard !lines.isEmpty else { return nil }
            return ProductPageValues.Detail(name: visit.text(key), isOpen: isOpen, lines: lines)
        }
    }
}

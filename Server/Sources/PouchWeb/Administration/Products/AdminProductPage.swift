import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates

struct AdminProductValues: PageModel {
    static let template = "admin-product"

    /// The additional values for a stored product.
    struct Saved: TemplateValues {
        let id, version: String
        /// The terms as JSON, which the form sends back unchanged.
        let shown: String
        let status: StatusValues
        /// The address of the product's page; nil for a product that customers cannot see.
        let previewURL: String?
        let previewLabel, changedText: String
        let statusActions: [StatusAction]
        let statusURL, variantURL: String
        let auditURL: String?
    }

    /// A button for a possible next status.
    struct StatusAction: TemplateValues {
        let status, label: String
        let isMain: Bool
    }

    struct Product: TemplateValues {
        let name, handle, description, materials, careInstructions, tags, styleCode, publishAt, withdrawAt: String
        let isDraft: Bool
        /// The number of columns in the table of variants.
        let columns: Int
        let images: [Image]
        let options: [Option]
        let variants: [Variant]
    }

    struct Image: TemplateValues {
        let index: Int
        let url, shownURL, alt: String
        /// The position, from 1.
        let place: Int
        let isRemoved: Bool
    }

    struct Option: TemplateValues {
        let index: Int
        let label, name, example, values, columnLabel: String
    }

    struct Variant: TemplateValues {
        let index: Int
        let label: String
        let isSaved: Bool
        let sku, price, compareAtPrice, weightGrams, stock, stockText, stockURL: String
        let isRemoved: Bool
        let error: String?
        let options: [Value]
    }

    /// A variant's value for an option.
    struct Value: TemplateValues {
        /// The index of the option.
        let option: Int
        let value, label: String
    }

    let action: String
    let saved: Saved?
    let product: Product
    let currency, timeZoneText, uploadHint, pictureLimit: String
    let categories, seasons, themes, promoImages: [Choice.Values]
}

/// The page of a product: a form for a new product, or for a stored one.
struct AdminProductPage {
    /// The parts of the catalogue that a product can belong to.
    struct Taxonomy: Sendable {
        let categories: [CategoryName]
        let seasons: [Season]
        let themes: [Theme]

        init(in repositories: any Repositories) throws {
            categories = try repositories.taxonomy.categoryNames()
            seasons = try repositories.taxonomy.seasons()
            themes = try repositories.taxonomy.themes()
        }
    }

    /// The number of rows for new variants at the end of the table, for browsers without scripts.
    private static let newRows = 2

    let admin: AdminVisit
    /// The stored product; nil for a new one.
    let product: ManagedProduct?
    let taxonomy: Taxonomy
    /// The latest change of the product, if its author is known.
    let latest: AuditEntry?

    private var language: Language { admin.visit.language }
    private var timeZone: TimeZone { admin.site.shop.timeZone }

    var content: PageContent {
        let inputs = inputs
        let problems = admin.visit.failure.map { ProductProblems($0, inputs) }
        let values = AdminProductValues(
            action: product.map { AdminPath.product($0.id) } ?? AdminPath.products, saved: product.map(saved),
            product: values(of: inputs, problems?.variants ?? [:]), currency: admin.site.shop.currency.code,
            timeZoneText: admin.timeZoneText, uploadHint: "Save your changes first: uploading reloads the page.",
            pictureLimit: "\(ModelLimits.pictureBytes >> 20) MiB",
            categories: categories.values(chosen: inputs["category"]),
            seasons: taxonomy.seasons.map { Choice($0.id, $0.name) }.values(chosen: inputs["seasonId"]),
            themes: taxonomy.themes.map { Choice($0.id, $0.name) }.values(chosen: inputs["themeId"]),
            promoImages: promoImages(inputs))
        var content = PageContent(values, title: product?.name ?? "New product")
        // Other forms on the page have no name field.
        if let problems, admin.visit.form?["name"] != nil {
            content.failure = .own(problems.reported.errors(prefix: "f-"))
        }
        return content
    }

    /// The entered texts if the product's form is shown again, otherwise the stored ones.
    private var inputs: ProductInputs {
        let form = admin.visit.form.map { ProductForm($0, admin.site) }
        if let form, admin.visit.failure != nil, form.fields["name"] != nil { return ProductInputs(form) }
        return ProductInputs(product.map(ProductTerms.init(shown:)) ?? ProductTerms(name: ""), in: timeZone)
    }

    // MARK: The stored product

    private func saved(_ product: ManagedProduct) -> AdminProductValues.Saved {
        let isPublished = product.status == .published
        let form = admin.visit.form
        let isTyped = admin.visit.failure != nil && form?["name"] != nil
        let stored = (try? ProductTerms(shown: product).json()).map { String(decoding: $0, as: UTF8.self) }
        return .init(
            id: product.id, version: (isTyped ? form?["version"] : nil) ?? String(product.version),
            shown: (isTyped ? form?["shown"] : nil) ?? stored ?? "", status: product.status.badge,
            previewURL: isPublished ? PagePath.product(product.handle) : nil, previewLabel: "View in the shop",
            changedText: changedText(product), statusActions: product.status.actions,
            statusURL: AdminPath.product(product.id) + "/status",
            variantURL: AdminPath.product(product.id) + "/variants",
            auditURL: admin.may(.readAudit)
                ? PagePath.adding([("object", product.audited)], to: AdminPath.audit) : nil)
    }

    private func changedText(_ product: ManagedProduct) -> String {
        let author = latest?.actorName.map { " by \($0)" } ?? ""
        var parts = ["Changed\(author) on \(admin.time(product.updatedAt))"]
        func add(_ what: String, _ time: Date?) {
            if let time { parts.append("will be \(what) on \(admin.time(time))") }
        }
        add("published", product.state.publishAt)
        add("withdrawn", product.state.withdrawAt)
        return parts.joined(separator: " · ")
    }

    // MARK: Inputs

    private func values(of inputs: ProductInputs, _ errors: [Int: String]) -> AdminProductValues.Product {
        var options = inputs.options
        let columns = min(ModelLimits.productOptions, max(2, options.count + 1))
        while options.count < columns { options.append(.init()) }
        let stored = (product?.variants ?? []).byKey { ($0.sku, $0) }
        var variants = inputs.variants
        for _ in 0..<Self.newRows { variants.append(.init()) }
        return .init(
            name: inputs["name"], handle: inputs["handle"], description: inputs["description"],
            materials: inputs["materials"], careInstructions: inputs["careInstructions"], tags: inputs["tags"],
            styleCode: inputs["styleCode"], publishAt: inputs["publishAt"], withdrawAt: inputs["withdrawAt"],
            isDraft: admin.visit.failure == nil || inputs["status"] != ProductStatus.published.rawValue,
            columns: columns + 6,
            images: inputs.images.enumerated().map { index, image -> AdminProductValues.Image in
                .init(
                    index: index, url: image.url, shownURL: ProductValues.source(image.url), alt: image.alt,
                    place: index + 1, isRemoved: image.isRemoved)
            },
            options: options.enumerated().map { index, option -> AdminProductValues.Option in
                .init(
                    index: index, label: "Option \(index + 1)", name: option.name,
                    example: index == 0 ? "Colour" : "Size", values: option.values,
                    columnLabel: Self.label(option, index))
            },
            variants: variants.enumerated().map { index, variant -> AdminProductValues.Variant in
                row(variant, index, options, stored: stored[variant.sku], error: errors[index])
            })
    }

    private static func label(_ option: ProductInputs.Option, _ index: Int) -> String {
        option.name.isEmpty ? "Option \(index + 1)" : option.name
    }

    private func row(
        _ variant: ProductInputs.Variant, _ index: Int, _ options: [ProductInputs.Option], stored: StockedVariant?,
        error: String?
    ) -> AdminProductValues.Variant {
        let stock = stored.map { stock in
            language.number(stock.available) + (stock.held > 0 ? ", \(language.number(stock.held)) held" : "")
        }
        return .init(
            index: index, label: variant.label.isEmpty ? "the new variant" : variant.label, isSaved: stored != nil,
            sku: variant.sku, price: variant.price, compareAtPrice: variant.compareAtPrice,
            weightGrams: variant.weightGrams, stock: variant.stock, stockText: stock ?? "",
            stockURL: PagePath.adding([("sku", variant.sku)], to: AdminPath.stock), isRemoved: variant.isRemoved,
            error: error,
            options: options.enumerated().map { place, option -> AdminProductValues.Value in
                .init(option: place, value: variant.value(place), label: Self.label(option, place))
            })
    }

    // MARK: Choices

    /// The categories to choose from. A new product can have none, so there is a choice even before the first category.
    private var categories: [Choice] {
        let stored = taxonomy.categories.map { Choice($0.id, $0.name) }
        return product == nil ? [Choice("", "None")] + stored : stored
    }

    private func promoImages(_ inputs: ProductInputs) -> [Choice.Values] {
        var pictures = inputs.images.filter { !$0.isRemoved }
        if !inputs.promoImage.isEmpty, !pictures.contains(where: { $0.url == inputs.promoImage }) {
            pictures.append(.init(url: inputs.promoImage, alt: product?.details.promoImage?.alt ?? inputs.promoImage))
        }
        return pictures.enumerated().map { index, picture in
            Choice(picture.url, Self.label(of: picture.alt, at: index))
        }.values(chosen: inputs.promoImage)
    }

    /// The name of a picture in a list, with a number because several may have the same alt text.
    static func label(of alt: String, at place: Int) -> String {
        "Picture \(place + 1)" + (alt.isEmpty ? "" : ": \(alt)")
    }
}

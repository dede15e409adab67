import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchTemplates

struct AdminProductValues: PageModel {
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
        let categories, seasons, themes: [Choice]

        init(in repositories: any Repositories) throws {
            categories = try repositories.taxonomy.categoryNames().map { Choice($0.id, $0.name) }
            seasons = try repositories.taxonomy.seasons().map { Choice($0.id, $0.name) }
            themes = try repositories.taxonomy.themes().map { Choice($0.id, $0.name) }
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

    var content: PageContent {
        let form = form
        let values = AdminProductValues(
            action: product.map { AdminPath.product($0.id) } ?? AdminSection.products.path, saved: product.map(saved),
            product: values(of: form, admin.visit.failure?.variantErrors ?? [:]),
            currency: admin.site.shop.currency.code, timeZoneText: admin.timeZoneText,
            uploadHint: "Save your changes first: uploading reloads the page.",
            pictureLimit: "\(ModelLimits.pictureBytes >> 20) MiB",
            // A new product can have none, so there is a choice even before the first category.
            categories: ((product == nil ? [Choice("", "None")] : []) + taxonomy.categories)
                .values(chosen: form["category"]),
            seasons: taxonomy.seasons.values(chosen: form["seasonId"]),
            themes: taxonomy.themes.values(chosen: form["themeId"]), promoImages: promoImages(form))
        let failure = typed == nil ? nil : admin.visit.failure?.labelled(by: form).errors(prefix: "f-")
        return PageContent(
            values, title: product?.name ?? "New product", failure: failure.map(PageContent.Failure.own) ?? .ofVisit)
    }

    /// The product's form that was not saved. Other forms on the page have no name field.
    private var typed: FormBody? {
        admin.visit.failure == nil ? nil : admin.visit.form.flatMap { $0["name"] == nil ? nil : $0 }
    }

    /// The form as entered if it is shown again, otherwise with the stored terms.
    private var form: ProductForm {
        typed.map { ProductForm($0, admin.site) }
            ?? ProductForm(product.map(ProductTerms.init(shown:)) ?? ProductTerms(name: ""), admin.site)
    }

    // MARK: The stored product

    private func saved(_ product: ManagedProduct) -> AdminProductValues.Saved {
        let isPublished = product.status == .published
        return .init(
            id: product.id, version: typed?["version"] ?? String(product.version),
            shown: typed?["shown"] ?? ProductTerms(shown: product).hiddenText, status: product.status.badge,
            previewURL: isPublished ? PagePath.product(product.handle) : nil, previewLabel: "View in the shop",
            changedText: changedText(product), statusActions: product.status.actions,
            statusURL: AdminPath.product(product.id) + "/status",
            variantURL: AdminPath.product(product.id) + "/variants",
            auditURL: admin.may(.readAudit)
                ? PagePath.adding([("object", product.audited)], to: AdminSection.audit.path) : nil)
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

    private func values(of form: ProductForm, _ errors: [Int: String]) -> AdminProductValues.Product {
        let empty = FormRow(number: -1, fields: FormBody([]))
        var options = form.options
        let columns = min(ModelLimits.productOptions, max(2, options.count + 1))
        options += repeatElement(empty, count: max(0, columns - options.count))
        let stored = (product?.variants ?? []).byKey { ($0.sku, $0) }
        let variants = form.shownVariants + repeatElement(empty, count: Self.newRows)
        return .init(
            name: form["name"], handle: form["handle"], description: form["description"],
            materials: form["materials"], careInstructions: form["careInstructions"], tags: form["tags"],
            styleCode: form["styleCode"], publishAt: form["publishAt"], withdrawAt: form["withdrawAt"],
            isDraft: admin.visit.failure == nil || form["status"] != ProductStatus.published.rawValue,
            columns: columns + 6,
            images: form.shownImages.enumerated().map { index, image -> AdminProductValues.Image in
                .init(
                    index: index, url: image["url"], shownURL: ProductValues.source(image["url"]), alt: image["alt"],
                    place: index + 1, isRemoved: image.isRemoved)
            },
            options: options.enumerated().map { index, option -> AdminProductValues.Option in
                .init(
                    index: index, label: "Option \(index + 1)", name: option["name"],
                    example: index == 0 ? "Colour" : "Size", values: option["values"],
                    columnLabel: Self.label(option, index))
            },
            variants: variants.enumerated().map { index, variant -> AdminProductValues.Variant in
                row(variant, index, options, stored[variant["sku"]], errors[index])
            })
    }

    private static func label(_ option: FormRow, _ index: Int) -> String {
        option["name"].isEmpty ? "Option \(index + 1)" : option["name"]
    }

    private func row(
        _ variant: FormRow, _ index: Int, _ options: [FormRow], _ stored: StockedVariant?, _ error: String?
    ) -> AdminProductValues.Variant {
        let stock = stored.map { stock in
            language.number(stock.available) + (stock.held > 0 ? ", \(language.number(stock.held)) held" : "")
        }
        let values = variant.fields.texts(of: "options")
        let label = ProductForm.label(of: variant, options)
        return .init(
            index: index, label: label.isEmpty ? "the new variant" : label, isSaved: stored != nil,
            sku: variant["sku"], price: variant["price"], compareAtPrice: variant["compareAtPrice"],
            weightGrams: variant["weightGrams"], stock: variant["stock"], stockText: stock ?? "",
            stockURL: PagePath.adding([("sku", variant["sku"])], to: AdminSection.stock.path),
            isRemoved: variant.isRemoved, error: error,
            options: options.enumerated().map { place, option -> AdminProductValues.Value in
                .init(option: place, value: values[option.number] ?? "", label: Self.label(option, place))
            })
    }

    // MARK: Choices

    private func promoImages(_ form: ProductForm) -> [Choice.Values] {
        let chosen = form["promoImage.url"]
        var pictures = form.images.map { (url: $0["url"], alt: $0["alt"]) }
        if !chosen.isEmpty, !pictures.contains(where: { $0.url == chosen }) {
            pictures.append((chosen, product?.details.promoImage?.alt ?? chosen))
        }
        return pictures.enumerated().map { Choice($1.url, Self.label(of: $1.alt, at: $0)) }.values(chosen: chosen)
    }

    /// The name of a picture in a list, with a number because several may have the same alt text.
    static func label(of alt: String, at place: Int) -> String {
        "Picture \(place + 1)" + (alt.isEmpty ? "" : ": \(alt)")
    }
}

struct AdminConflictValues: PageModel {
    struct Difference: TemplateValues {
        /// The label of the field, and the name of the inputs to choose a value.
        let label, field: String
        /// Whether the stored value is preselected.
        let isTheirs: Bool
        let yours, theirs: String
    }

    let summary, detail, action: String
    let version: Int
    /// The stored values and the entered changes, as JSON.
    let shown, mine: String
    let differences: [Difference]
    let backURL, theirName: String
}

/// The page for a product that was changed after its form was opened. It shows both values of each field that differs,
/// and saves the chosen ones.
struct ProductConflict {
    let admin: AdminVisit
    let stored: ManagedProduct
    let edit: ProductEdit
    let taxonomy: AdminProductPage.Taxonomy
    let latest: AuditEntry?

    /// The fields, in the order of the form, each with its label and its text.
    private var fields: [(name: String, label: String, text: (ProductTerms) -> String?)] {
        [
            ("name", "Name", { $0.name }), ("description", "Description", { $0.description }),
            ("materials", "Materials", { $0.materials?.joined(separator: "\n") }),
            ("careInstructions", "Care", { $0.careInstructions }),
            ("images", "Pictures", { $0.images?.map { $0.alt.isEmpty ? $0.url : $0.alt }.joined(separator: "\n") }),
            (
                "options", "Options",
                { $0.options?.map { "\($0.name): \($0.values.joined(separator: ", "))" }.joined(separator: "\n") }
            ),
            ("variants", "Variants", { $0.variants?.map(line).joined(separator: "\n") }),
            ("status", "Status", { $0.status?.badge.text }),
            ("publishAt", "Publish at", { $0.publishAt.map(admin.time) }),
            ("withdrawAt", "Withdraw at", { $0.withdrawAt.map(admin.time) }),
            ("category", "Category", { Self.name(of: $0.category, in: taxonomy.categories) }),
            ("seasonId", "Season", { Self.name(of: $0.seasonId, in: taxonomy.seasons) }),
            ("themeId", "Theme", { Self.name(of: $0.themeId, in: taxonomy.themes) }),
            ("tags", "Tags", { $0.tags?.joined(separator: "\n") }), ("styleCode", "Style code", { $0.styleCode }),
            ("handle", "Handle", { $0.handle }), ("promoImage", "Picture on the front page", { $0.promoImage?.alt }),
        ]
    }

    private var theirs: ProductTerms { ProductTerms(shown: stored) }
    /// The staff member who made the stored version; nil if that is unknown, such as after an import.
    private var author: String? { latest?.actorName }

    var content: PageContent {
        let mine = Self.json(ProductPatch(from: theirs, to: edit.typed))
        let changedByMe = Self.json(edit.patch)
        let changedByThem = Self.json(ProductPatch(from: edit.shown, to: theirs))
        let differences = fields.filter { mine[$0.name] != nil && changedByThem[$0.name] != nil }.map { field in
            AdminConflictValues.Difference(
                label: field.label, field: "take.\(field.name)", isTheirs: changedByMe[field.name] == nil,
                yours: field.text(edit.typed)?.ifNotEmpty ?? "Nothing",
                theirs: field.text(theirs)?.ifNotEmpty ?? "Nothing")
        }
        let values = AdminConflictValues(
            summary: author.map { "\($0) saved this product while you were editing it." }
                ?? "This product was changed while you were editing it.",
            detail: differences.isEmpty
                ? "Your changes do not overlap. Save to keep both."
                : "Your entries are kept. Choose a value for each field.",
            action: AdminPath.product(stored.id), version: stored.version, shown: theirs.hiddenText,
            mine: JSON.object(mine).hiddenText, differences: differences, backURL: AdminPath.product(stored.id),
            theirName: author ?? "Stored value")
        return PageContent(values, title: "\(stored.name) has changed")
    }

    private static func json(_ patch: ProductPatch) -> [String: JSON] {
        (try? JSON(json: patch.json()))?.object ?? [:]
    }

    // MARK: Texts

    private static func name(of id: String?, in parts: [Choice]) -> String? {
        parts.first { $0.value == id }?.label ?? id
    }

    /// The text of a variant, such as “71101-69-m (sea green, M): €119.00 instead of €139.00, 520 g”.
    private func line(_ variant: VariantTerms) -> String {
        let language = admin.visit.language
        let values = (variant.options ?? [:]).sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")
        var text = (variant.sku ?? "New") + (values.isEmpty ? "" : " (\(values))") + ": "
        text += admin.price(variant.price)
        if let before = variant.compareAtPrice { text += " instead of \(admin.price(before))" }
        if let grams = variant.weightGrams { text += ", \(language.number(grams)) g" }
        if let stock = variant.stock { text += ", \(language.number(stock)) in stock" }
        return text
    }
}

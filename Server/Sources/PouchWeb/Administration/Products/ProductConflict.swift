import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchTemplates

struct AdminConflictValues: PageModel {
    static let template = "admin-conflict"

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

    /// The fields, in the order of the form.
    private static let fields: [(name: String, label: String)] = [
        ("name", "Name"), ("description", "Description"), ("materials", "Materials"), ("careInstructions", "Care"),
        ("images", "Pictures"), ("options", "Options"), ("variants", "Variants"), ("status", "Status"),
        ("publishAt", "Publish at"), ("withdrawAt", "Withdraw at"), ("category", "Category"), ("seasonId", "Season"),
        ("themeId", "Theme"), ("tags", "Tags"), ("styleCode", "Style code"), ("handle", "Handle"),
        ("promoImage", "Picture on the front page"),
    ]

    private var theirs: ProductTerms { ProductTerms(shown: stored) }
    /// The staff member who made the stored version; nil if that is unknown, such as after an import.
    private var author: String? { latest?.actorName }

    var content: PageContent {
        let mine = Self.json(ProductPatch(from: theirs, to: edit.typed))
        let changedByMe = Self.json(edit.patch)
        let changedByThem = Self.json(ProductPatch(from: edit.shown, to: theirs))
        let differences = Self.fields.filter { mine[$0.name] != nil && changedByThem[$0.name] != nil }.map { field in
            AdminConflictValues.Difference(
                label: field.label, field: "take.\(field.name)", isTheirs: changedByMe[field.name] == nil,
                yours: text(of: field.name, edit.typed), theirs: text(of: field.name, theirs))
        }
        let values = AdminConflictValues(
            summary: author.map { "\($0) saved this product while you were editing it." }
                ?? "This product was changed while you were editing it.",
            detail: differences.isEmpty
                ? "Your changes do not overlap. Save to keep both."
                : "Your entries are kept. Choose a value for each field.",
            action: AdminPath.product(stored.id), version: stored.version, shown: Self.written(theirs),
            mine: Self.written(JSON.object(mine)), differences: differences, backURL: AdminPath.product(stored.id),
            theirName: author ?? "Stored value")
        return PageContent(values, title: "\(stored.name) has changed")
    }

    private static func json(_ patch: ProductPatch) -> [String: JSON] {
        (try? JSON(json: patch.json()))?.object ?? [:]
    }

    private static func written(_ value: some JSONCodable) -> String {
        (try? value.json()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    // MARK: Texts

    private func text(of field: String, _ terms: ProductTerms) -> String {
        let text: String? =
            switch field {
            case "name": terms.name
            case "description": terms.description
            case "materials": terms.materials?.joined(separator: "\n")
            case "careInstructions": terms.careInstructions
            case "images": terms.images?.map { $0.alt.isEmpty ? $0.url : $0.alt }.joined(separator: "\n")
            case "options":
                terms.options?.map { "\($0.name): \($0.values.joined(separator: ", "))" }.joined(separator: "\n")
            case "variants": terms.variants?.map(line).joined(separator: "\n")
            case "status": terms.status?.title
            case "publishAt": terms.publishAt.map(admin.time)
            case "withdrawAt": terms.withdrawAt.map(admin.time)
            case "category": taxonomy.categories.first { $0.id == terms.category }?.name ?? terms.category
            case "seasonId": taxonomy.seasons.first { $0.id == terms.seasonId }?.name ?? terms.seasonId
            case "themeId": taxonomy.themes.first { $0.id == terms.themeId }?.name ?? terms.themeId
            case "tags": terms.tags?.joined(separator: "\n")
            case "styleCode": terms.styleCode
            case "handle": terms.handle
            case "promoImage": terms.promoImage?.alt
            default: nil
            }
        return text.flatMap { $0.isEmpty ? nil : $0 } ?? "Nothing"
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

import Foundation
import PouchContract
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

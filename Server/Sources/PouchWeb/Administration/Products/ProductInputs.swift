import Foundation
import PouchEntities
import PouchWire

/// The texts in the inputs of a product's form: from the stored terms, or from the failed form.
struct ProductInputs {
    struct Picture {
        let url: String
        let alt: String
        var isRemoved = false
    }

    struct Option {
        var name = ""
        /// The values, one per line.
        var values = ""
    }

    struct Variant {
        var sku = ""
        /// The values, in the order of the options.
        var options: [String] = []
        var price = ""
        var compareAtPrice = ""
        var weightGrams = ""
        var stock = ""
        var isRemoved = false

        func value(_ option: Int) -> String { options.indices.contains(option) ? options[option] : "" }
    }

    /// The texts, by field name.
    private var texts: [String: String] = [:]
    var promoImage = ""
    var images: [Picture]
    var options: [Option]
    var variants: [Variant]

    subscript(_ field: String) -> String { texts[field] ?? "" }

    init(_ terms: ProductTerms, in timeZone: TimeZone) {
        func time(_ date: Date?) -> String { date.map { LocalTime($0).text(in: timeZone) } ?? "" }
        texts = [
            "name": terms.name, "handle": terms.handle ?? "", "description": terms.description ?? "",
            "materials": (terms.materials ?? []).joined(separator: "\n"),
            "careInstructions": terms.careInstructions ?? "", "tags": (terms.tags ?? []).joined(separator: "\n"),
            "styleCode": terms.styleCode ?? "", "publishAt": time(terms.publishAt),
            "withdrawAt": time(terms.withdrawAt), "category": terms.category ?? "",
            "seasonId": terms.seasonId ?? "", "themeId": terms.themeId ?? "",
        ]
        promoImage = terms.promoImage?.url ?? ""
        images = (terms.images ?? []).map { Picture(url: $0.url, alt: $0.alt) }
        let names = (terms.options ?? []).map(\.name)
        options = (terms.options ?? []).map { Option(name: $0.name, values: $0.values.joined(separator: "\n")) }
        variants = (terms.variants ?? []).map { variant in
            Variant(
                sku: variant.sku ?? "", options: names.map { variant.options?[$0] ?? "" },
                price: variant.price.decimal, compareAtPrice: variant.compareAtPrice?.decimal ?? "",
                weightGrams: variant.weightGrams.map(String.init) ?? "", stock: variant.stock.map(String.init) ?? "")
        }
    }

    /// Creates the texts of a form. The rows are in the order in which they were sent, so that the fields in a problem
    /// match those shown; removed rows come last.
    init(_ form: ProductForm) {
        for field in form.fields.fields {
            if let name = FormBody.path(of: field.name), !name.contains(".") { texts[name] = field.value }
        }
        promoImage = form.fields["promoImage.url"] ?? ""
        images = (form.images + form.images(where: \.isRemoved)).map {
            Picture(url: $0["url"], alt: $0["alt"], isRemoved: $0.isRemoved)
        }
        let rows = form.options
        options = rows.map { Option(name: $0["name"], values: $0["values"]) }
        variants = (form.variants + form.variants(where: \.isRemoved)).map { row in
            let values = row.fields.texts(of: "options")
            return Variant(
                sku: row["sku"], options: rows.map { values[$0.number] ?? "" }, price: row["price"],
                compareAtPrice: row["compareAtPrice"], weightGrams: row["weightGrams"], stock: row["stock"],
                isRemoved: row.isRemoved)
        }
    }
}

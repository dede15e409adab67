import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

/// The form of a product, and the terms that its fields represent.
struct ProductForm {
    /// The fields that are not terms, or that are converted to terms separately.
    private static let special: Set<String> = ["images", "options", "variants", "promoImage", "shown", "mine", "take"]

    let fields: FormBody
    private let shop: ShopSettings

    init(_ fields: FormBody, _ site: Site) {
        self.fields = fields
        shop = site.shop
    }

    /// Creates the form that shows stored terms, as a browser would send it.
    init(_ terms: ProductTerms, _ site: Site) {
        func time(_ date: Date?) -> String? { date.map { LocalTime($0).text(in: site.shop.timeZone) } }
        var fields: [(name: String, value: String?)] = [
            ("name", terms.name), ("handle", terms.handle), ("description", terms.description),
            ("materials", terms.materials?.joined(separator: "\n")), ("careInstructions", terms.careInstructions),
            ("tags", terms.tags?.joined(separator: "\n")), ("styleCode", terms.styleCode),
            ("publishAt", time(terms.publishAt)), ("withdrawAt", time(terms.withdrawAt)),
            ("category", terms.category), ("seasonId", terms.seasonId), ("themeId", terms.themeId),
            ("promoImage.url", terms.promoImage?.url),
        ]
        for (place, image) in (terms.images ?? []).enumerated() {
            fields += [("images.\(place).url", image.url), ("images.\(place).alt", image.alt)]
        }
        let options = terms.options ?? []
        for (place, option) in options.enumerated() {
            fields += [
                ("options.\(place).name", option.name),
                ("options.\(place).values", option.values.joined(separator: "\n")),
            ]
        }
        for (place, variant) in (terms.variants ?? []).enumerated() {
            let path = "variants.\(place)."
            fields += [
                (path + "sku", variant.sku), (path + "price", variant.price.decimal),
                (path + "compareAtPrice", variant.compareAtPrice?.decimal),
                (path + "weightGrams", variant.weightGrams.map(String.init)),
                (path + "stock", variant.stock.map(String.init)),
            ]
            fields += options.enumerated().map { (path + "options.\($0)", variant.options?[$1.name]) }
        }
        self.init(FormBody(fields.map { .init(name: $0.name, value: $0.value ?? "") }), site)
    }

    /// The text in a field's input.
    subscript(_ field: String) -> String { fields[field] ?? "" }

    /// The code of a field whose text is not a price, number or time. The text of the problem refers to JSON, so the
    /// page replaces it.
    static let unreadable = "unreadable"

    /// The entered terms.
    ///
    /// - Throws: `RequestProblem` with `unreadable` fields.
    var terms: ProductTerms {
        get throws {
            var terms: ProductTerms
            do {
                terms = try ProductTerms(json: json.json(), .request)
            } catch let error as JSONError {
                guard var problem = RequestProblem(error) else { throw error }
                problem.fields = problem.fields?.map {
                    FieldProblem(field: $0.field, code: Self.unreadable, detail: $0.detail)
                }
                throw problem
            }
            if terms.materials == [] { terms.materials = nil }
            return terms
        }
    }

    /// The rows to send, in the order of the terms.
    var variants: [FormRow] { variants { !$0.isRemoved && !$0.isBlank } }
    var images: [FormRow] { images { !$0.isRemoved } }

    /// The rows to show: those to send, so that the fields in a problem match them, then the removed ones.
    var shownVariants: [FormRow] { variants + variants(where: \.isRemoved) }
    var shownImages: [FormRow] { images + images(where: \.isRemoved) }

    private func variants(where isIncluded: (FormRow) -> Bool) -> [FormRow] {
        fields.rows(of: "variants", atMost: ModelLimits.productVariants, where: isIncluded)
    }

    private func images(where isIncluded: (FormRow) -> Bool) -> [FormRow] {
        fields.rows(of: "images", atMost: ModelLimits.productImages) { !$0["url"].isEmpty && isIncluded($0) }
    }

    /// The rows of options that have a name, values, or a variant with a value.
    var options: [FormRow] {
        let used = Set(
            variants.flatMap { row in row.fields.texts(of: "options").filter { !$0.value.isEmpty }.map(\.key) })
        return fields.rows(of: "options", atMost: ModelLimits.productOptions) {
            !$0.isBlank || used.contains($0.number)
        }
    }

    /// The name of a variant for people: its options, or else its SKU.
    ///
    /// - Parameter options: the rows of the options.
    static func label(of variant: FormRow, _ options: [FormRow]) -> String {
        let values = variant.fields.texts(of: "options")
        let chosen = options.compactMap { values[$0.number] }.filter { !$0.isEmpty }
        return chosen.isEmpty ? variant["sku"] : chosen.joined(separator: ", ")
    }

    /// Checks that option values have variants: otherwise, customers cannot choose them.
    ///
    /// - Throws: `RequestProblem`.
    func checkVariants() throws {
        guard variants.isEmpty, let place = options.firstIndex(where: { !$0["values"].trimmed.isEmpty }) else { return }
        throw Self.problem(
            ofValues: place,
            "These values have no variants yet. Select “Add missing combinations”, or fill in a row for each below.")
    }

    /// Checks that values added to the options of a stored product have variants. Without this check, a value that was
    /// renamed only in the options would be dropped silently.
    ///
    /// - Parameter shown: the previous options. Their values disappear with their last variant.
    /// - Throws: `RequestProblem`.
    func checkAddedValues(to shown: [ProductOption]) throws {
        let known = Set(shown.flatMap(\.values))
        for (place, option) in options.enumerated() {
            let used = Set(variants.compactMap { $0.fields.texts(of: "options")[option.number] })
            let values = option["values"].split(whereSeparator: \.isNewline).map { String($0).trimmed }
            guard let value = values.first(where: { !$0.isEmpty && !used.contains($0) && !known.contains($0) }) else {
                continue
            }
            throw Self.problem(
                ofValues: place,
                "No variant has the value “\(value)”. To rename a value, change it in the variants below; "
                    + "to add one, add a variant.")
        }
    }

    private static func problem(ofValues place: Int, _ detail: String) -> RequestProblem {
        let field = FieldProblem(field: "options.\(place).values", code: "invalid", detail: detail)
        return RequestProblem(.validationFailed, detail, [field])
    }

    private var json: JSON {
        var terms = json(of: fields.without(Self.special))
        let options = options
        if !options.isEmpty {
            terms["options"] = .array(
                options.map {
                    ["name": .string($0["name"].trimmed), "values": json(of: $0.fields)["values"] ?? []]
                })
        }
        terms["images"] = .array(images.map { ["url": .string($0["url"]), "alt": .string($0["alt"])] })
        terms["variants"] = .array(variants.map { .object(variant($0, options)) })
        if let url = fields["promoImage.url"], !url.isEmpty {
            let alt = images { $0["url"] == url }.first?["alt"] ?? ""
            terms["promoImage"] = ["url": .string(url), "alt": .string(alt)]
        }
        return .object(terms)
    }

    private func variant(_ row: FormRow, _ options: [FormRow]) -> [String: JSON] {
        var members = json(of: row.fields.without(["options", "remove"]))
        let values = row.fields.texts(of: "options")
        var chosen: [String: JSON] = [:]
        for option in options {
            if let value = values[option.number], !value.isEmpty { chosen[option["name"].trimmed] = .string(value) }
        }
        if !chosen.isEmpty { members["options"] = .object(chosen) }
        return members
    }

    private func json(of fields: FormBody) -> [String: JSON] {
        fields.json(currency: shop.currency, timeZone: shop.timeZone).object ?? [:]
    }
}

extension FormBody {
    /// The trimmed texts of a list, by number.
    func texts(of list: String) -> [Int: String] {
        fields.reduce(into: [:]) { texts, field in
            guard field.name.hasPrefix(list + "."),
                let number = Int(field.name.dropFirst(list.count + 1).prefix { $0.isNumber })
            else { return }
            texts[number] = field.value.trimmed
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

extension FormFailure {
    /// The fields of a product's form with errors.
    private var productFields: [FieldProblem] {
        if let fields = problem.fields { return fields }
        guard problem.code == .handleTaken else { return [] }
        return [FieldProblem(field: "handle", code: problem.code.rawValue, detail: problem.detail ?? "")]
    }

    /// The failure with the labels of a product's form.
    func labelled(by form: ProductForm) -> FormFailure {
        let (errors, variants, options) = (productFields, form.shownVariants, form.options)
        var labelled = self
        if !errors.isEmpty {
            labelled.summary =
                "The product was not saved. Correct \(errors.count) \(errors.count == 1 ? "field" : "fields")."
        }
        labelled.fields = errors.map { error in
            guard let place = Self.variant(error.field) else { return (error.field, Self.sentence(error)) }
            let name = variants.indices.contains(place) ? ProductForm.label(of: variants[place], options) : ""
            let label = "Variant \(place + 1)\(name.isEmpty ? "" : " (\(name))")"
            return (error.field, "\(label): \(Self.sentence(error))")
        }
        return labelled
    }

    /// The errors of a product's variants, by index.
    var variantErrors: [Int: String] {
        productFields.reduce(into: [:]) { texts, error in
            guard let place = Self.variant(error.field) else { return }
            texts[place] = [texts[place], Self.sentence(error)].compactMap(\.self).joined(separator: " ")
        }
    }

    /// The text of an error. In the texts of a variant, the name of the column replaces that of the field, such as
    /// `variants.0.stock`.
    private static func sentence(_ error: FieldProblem) -> String {
        let name = error.field.split(separator: ".").last.map(String.init) ?? ""
        let input = productInputs[name]
        if error.code == ProductForm.unreadable, let advice = input?.advice { return advice }
        guard variant(error.field) != nil, let column = input?.column else { return error.detail }
        return error.detail.labelled("“\(column)”", insteadOf: error.field)
    }

    /// The columns of the variants' inputs, and the texts for entries that cannot be read.
    private static let productInputs: [String: (column: String?, advice: String?)] = [
        "sku": ("SKU", nil), "options": ("Options", nil), "price": ("Price", "Enter a price such as 49.90."),
        "compareAtPrice": ("Compare-at price", "Enter a price such as 49.90."),
        "weightGrams": ("Grams", "Enter a whole number."), "stock": ("Stock", "Enter a whole number."),
        "publishAt": (nil, "Enter a date and time."), "withdrawAt": (nil, "Enter a date and time."),
    ]

    /// The index of the variant that a field belongs to; nil for another field.
    private static func variant(_ field: String) -> Int? {
        let steps = field.split(separator: ".")
        return steps.count > 1 && steps[0] == "variants" ? Int(steps[1]) : nil
    }
}

/// A staff member's changes to a stored product: the values shown in the form, and the submitted ones.
struct ProductEdit {
    let shown: ProductTerms
    let typed: ProductTerms

    /// - Parameter form: a product's form, or the form that resolves a conflict.
    /// - Throws: `RequestProblem`; `JSONError` for changed hidden fields.
    init(_ form: ProductForm) throws {
        let fields = form.fields
        shown = fields["shown"].flatMap { try? ProductTerms(json: Data($0.utf8)) } ?? ProductTerms(name: "")
        if let mine = fields["mine"] {
            typed = try ProductPatch(json: Self.chosen(mine, fields).json(), .request).applied(to: shown)
        } else {
            typed = try form.terms
        }
    }

    /// The fields that the staff member has changed, so that changes by others are kept.
    var patch: ProductPatch { ProductPatch(from: shown, to: typed) }

    /// The staff member's values, without the fields for which the stored value was chosen.
    private static func chosen(_ mine: String, _ fields: FormBody) throws -> JSON {
        let members = try JSON(json: mine, .request).object ?? [:]
        return .object(members.filter { fields["take.\($0.key)"] != "theirs" })
    }
}

extension ProductTerms {
    /// Creates the stored terms as a form shows and sends them: inputs have no fractions of a second.
    init(shown product: ManagedProduct) {
        self.init(product)
        publishAt = publishAt.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down)) }
        withdrawAt = withdrawAt.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down)) }
    }
}

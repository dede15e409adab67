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
    let currency: Currency
    let timeZone: TimeZone

    init(_ fields: FormBody, _ site: Site) {
        self.fields = fields
        currency = site.shop.currency
        timeZone = site.shop.timeZone
    }

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

    func variants(where isIncluded: (FormRow) -> Bool) -> [FormRow] {
        fields.rows(of: "variants", atMost: ModelLimits.productVariants, where: isIncluded)
    }

    func images(where isIncluded: (FormRow) -> Bool) -> [FormRow] {
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
        fields.json(currency: currency, timeZone: timeZone).object ?? [:]
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

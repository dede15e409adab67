import PouchEntities
import PouchHTTP
import PouchWire

/// The errors of a product's form, with the form's labels.
struct ProductProblems {
    private let failure: FormFailure
    private let inputs: ProductInputs

    /// - Parameter inputs: the inputs, as shown.
    init(_ failure: FormFailure, _ inputs: ProductInputs) {
        self.failure = failure
        self.inputs = inputs
    }

    private var fields: [FieldProblem] {
        let problem = failure.problem
        if let fields = problem.fields { return fields }
        guard problem.code == .handleTaken else { return [] }
        return [FieldProblem(field: "handle", code: problem.code.rawValue, detail: problem.detail ?? "")]
    }

    /// The failure, with texts for the product's form.
    var reported: FormFailure {
        var reported = failure
        switch fields.count {
        case 0: break
        case 1: reported.summary = "The product was not saved. Correct 1 field."
        default: reported.summary = "The product was not saved. Correct \(fields.count) fields."
        }
        reported.fields = fields.map { ($0.field, text(of: $0)) }
        return reported
    }

    /// The errors of the variants, by index.
    var variants: [Int: String] {
        fields.reduce(into: [:]) { texts, field in
            guard let place = Self.place(field.field, in: "variants") else { return }
            texts[place] = [texts[place], Self.sentence(field)].compactMap(\.self).joined(separator: " ")
        }
    }

    private func text(of field: FieldProblem) -> String {
        guard let place = Self.place(field.field, in: "variants") else { return Self.sentence(field) }
        let name = inputs.variants.indices.contains(place) ? inputs.variants[place].label : ""
        return "Variant \(place + 1)\(name.isEmpty ? "" : " (\(name))"): \(Self.sentence(field))"
    }

    /// The text of an error. In the texts of a variant, the name of the column replaces that of the field, such as
    /// `variants.0.stock`.
    private static func sentence(_ field: FieldProblem) -> String {
        let name = field.field.split(separator: ".").last.map(String.init) ?? ""
        if field.code == ProductForm.unreadable, let advice = advice[name] { return advice }
        guard place(field.field, in: "variants") != nil, let column = columns[name] else { return field.detail }
        return field.detail.labelled("“\(column)”", insteadOf: field.field)
    }

    /// The texts for entries that cannot be read.
    private static let advice = [
        "price": "Enter a price such as 49.90.", "compareAtPrice": "Enter a price such as 49.90.",
        "weightGrams": "Enter a whole number.", "stock": "Enter a whole number.",
        "publishAt": "Enter a date and time.", "withdrawAt": "Enter a date and time.",
    ]

    private static let columns = [
        "sku": "SKU", "price": "Price", "compareAtPrice": "Compare-at price", "weightGrams": "Grams",
        "stock": "Stock", "options": "Options",
    ]

    /// The index in a list at the start of a field's name.
    private static func place(_ field: String, in list: String) -> Int? {
        let steps = field.split(separator: ".")
        return steps.count > 1 && steps[0] == list ? Int(steps[1]) : nil
    }
}

extension ProductInputs.Variant {
    /// The name of the variant for people: its options, or else its SKU.
    var label: String {
        let values = options.filter { !$0.isEmpty }
        return values.isEmpty ? sku : values.joined(separator: ", ")
    }
}

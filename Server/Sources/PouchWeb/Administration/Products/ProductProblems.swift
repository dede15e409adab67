import PouchEntities
import PouchHTTP
import PouchWire

/// The errors of a product's form, each with the input that it belongs to.
struct ProductProblems {
    private let failure: FormFailure
    private let inputs: ProductInputs

    /// - Parameter inputs: as they are shown.
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

    /// For the partial `form-errors`.
    var values: PageValues {
        let summary =
            switch fields.count {
            case 0: failure.summary
            case 1: "The product was not saved: one field needs you."
            default: "The product was not saved: \(fields.count) fields need you."
            }
        return [
            "summary": summary,
            "items": fields.map { field -> PageValues in
                ["field": field.field, "id": "f-" + input(field.field), "text": text(of: field)]
            },
        ]
    }

    /// The errors of the variants, by their places.
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

    /// The API speaks of JSON where a text is no price, number or time.
    private static func sentence(_ field: FieldProblem) -> String {
        let isUnreadable = ["required", "wrong_type"].contains(field.code) || field.detail.hasSuffix("cannot be read.")
        guard isUnreadable else { return field.detail }
        return switch field.field.split(separator: ".").last {
        case "price", "compareAtPrice": "Enter a price such as 49.90."
        case "weightGrams", "stock": "Enter a whole number."
        case "publishAt", "withdrawAt": "Enter a day and a time."
        default: field.detail
        }
    }

    /// The place in a list that a field names first.
    private static func place(_ field: String, in list: String) -> Int? {
        let steps = field.split(separator: ".")
        return steps.count > 1 && steps[0] == list ? Int(steps[1]) : nil
    }

    /// The id of the input, without its prefix.
    private func input(_ field: String) -> String {
        let steps = field.split(separator: ".").map(String.init)
        switch steps.first {
        case "tags", "materials": return steps[0]
        case "images": return steps.count > 1 ? "images-\(steps[1])-alt" : "picture"
        case "promoImage": return "promoImage-url"
        case "options": return steps.count > 1 ? steps.joined(separator: "-") : "options-0-name"
        case "variants":
            guard steps.count > 2 else { return "variants-0-price" }
            switch steps[2] {
            case "options": return "variants-\(steps[1])-options-0"
            case "sku": return "variants-\(steps[1])-price"
            default: return steps.prefix(3).joined(separator: "-")
            }
        default: return steps.joined(separator: "-")
        }
    }
}

extension ProductInputs.Variant {
    /// The name of the variant for people: its options, or else its SKU.
    var label: String {
        let values = options.filter { !$0.isEmpty }
        return values.isEmpty ? sku : values.joined(separator: ", ")
    }
}

extension FormFailure {
    /// As `values`, in the words of the API, which say more about the range than those for customers.
    func details(id prefix: String = "f-") -> PageValues {
        [
            "summary": problem.fields == nil ? summary : problem.detail ?? summary,
            "items": (problem.fields ?? []).map { field -> PageValues in
                ["field": field.field, "id": prefix + field.field.replacing(".", with: "-"), "text": field.detail]
            },
        ]
    }
}

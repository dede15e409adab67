import PouchContract
import PouchJSON

/// Creates the schemas of types, and collects the named schemas, of objects and enumerations, as components.
final class SchemaRecorder {
    /// The role of the schemas. Requests refuse unknown fields and treat null as absent. Answers may have further
    /// fields and omit null.
    enum Role {
        case request, answer
    }

    private let role: Role
    private let taken: Set<String>
    private(set) var components: [String: JSON] = [:]

    /// - Parameter taken: the names of the other role's components; an object with such a name gets the suffix `Input`.
    init(_ role: Role, taken: Set<String> = []) {
        self.role = role
        self.taken = taken
    }

    /// - Throws: `SchemaError`.
    func schema(of type: any JSONCodable.Type) throws(SchemaError) -> JSON {
        try describe(type.jsonShape, FieldFact()).schema
    }

    /// - Returns: the schema of the shape as the value of a field, and an example.
    private func describe(_ shape: JSONShape, _ fact: FieldFact) throws(SchemaError) -> (schema: JSON, example: JSON) {
        switch shape {
        case .text: return (scalar("string", fact), fact.example?.string.map(JSON.string) ?? "text")
        case .time:
            return (scalar("string", fact).merging(["format": "date-time"]), "2027-01-02T03:04:05.000Z")
        case .bool: return (scalar("boolean", fact), true)
        case .number:
            guard case .number? = fact.example else { return (scalar("number", fact), 1.5) }
            return (scalar("number", fact), fact.example ?? .null)
        case .integer(let bits):
            let schema = scalar("integer", fact).merging(["format": bits > 32 ? "int64" : "int32"])
            guard case .integer? = fact.example else { return (schema, 1) }
            return (schema, fact.example ?? .null)
        case .list(let element):
            let (schema, example) = try describe(element, FieldFact(example: fact.example))
            return (JSON.object(["type": "array", "items": schema]).merging(fact.keywords), [example])
        case .map(let value):
            let (schema, example) = try describe(value, FieldFact(example: fact.example))
            let map: JSON = ["type": "object", "additionalProperties": schema]
            return (map.merging(fact.keywords), ["Colour": example])
        case .word(let type, let words): return try enumeration(type, words)
        case .object(let type, let fields): return try object(type, fields)
        case .nullable(let wrapped): return try describe(wrapped, fact)
        case .any: return (.object(fact.keywords), .null)
        }
    }

    private func scalar(_ type: String, _ fact: FieldFact) -> JSON {
        JSON.object(["type": .string(type)]).merging(fact.keywords)
    }

    private func enumeration(
        _ type: any Any.Type, _ words: [String]
    ) throws(SchemaError) -> (schema: JSON, example: JSON) {
        // `unrecognised` never occurs on the wire; a client reads unknown words as it.
        let words = words.filter { $0 != "unrecognised" }.map(JSON.string)
        return (
            try reference(to: SchemaName.name(of: type), ["type": "string", "enum": .array(words)]),
            words.first ?? .null
        )
    }

    private func object(
        _ type: any Any.Type, _ fields: [JSONShape.Field]
    ) throws(SchemaError) -> (schema: JSON, example: JSON) {
        let facts = (type as? any FieldsDescribed.Type)?.fieldFacts ?? [:]
        let own = SchemaName.name(of: type)
        let name = taken.contains(own) ? own + "Input" : own
        var properties: [String: JSON] = [:]
        var example: [String: JSON] = [:]
        for field in fields {
            var fact = facts[field.name] ?? FieldFact()
            fact.example = fact.example ?? FieldNote.namedExample(field.name)
            var (schema, value) = try describe(field.shape, fact)
            if role == .request, field.acceptsNull { schema = orNull(schema) }
            schema["description"] = FieldNote.text(field.name, of: name).map(JSON.string)
            properties[field.name] = schema
            guard !FieldNote.isLeftOut(field.name, of: name) else { continue }
            example[field.name] = FieldNote.wholeExample(field.name, of: name) ?? value
        }
        var schema: JSON = [
            "type": "object", "properties": .object(properties), "examples": [.object(example)],
        ]
        let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        if role == .request { schema["additionalProperties"] = false }
        return (try reference(to: name, schema), .object(example))
    }

    private func orNull(_ schema: JSON) -> JSON {
        guard let type = schema["type"] else { return ["anyOf": [schema, ["type": "null"]]] }
        return schema.merging(["type": [type, "null"]])
    }

    private func reference(to name: String, _ schema: JSON) throws(SchemaError) -> JSON {
        guard components.updateValue(schema, forKey: name) ?? schema == schema else { throw .twoTypes(name: name) }
        return ["$ref": .string("#/components/schemas/\(name)")]
    }
}

/// A mistake in the types of the contract.
enum SchemaError: Error {
    /// Two types with different schemas have the same name.
    case twoTypes(name: String)
}

/// The name of a type's schema: the parts of a nested or generic type without modules, such as `OrderEvent` for
/// `Order.Event` and `AddressPage` for `Page<Address>`.
public enum SchemaName {
    public static func name(of type: any Any.Type) -> String {
        name(reflected: String(reflecting: type))
    }

    /// The schema, and those from which it takes its fields: `Address` for `AddressInput`, `ProductTerms` for
    /// `ProductPatch` and `ManagedProduct`.
    static func relatives(of name: String) -> [String] {
        var names = [name]
        for suffix in ["Input", "Patch"] where name.hasSuffix(suffix) {
            let base = String(name.dropLast(suffix.count))
            names += [base + "Terms", base + "Request", base]
        }
        if name.hasPrefix("Managed") {
            let base = String(name.dropFirst("Managed".count))
            names += [base + "Terms", base]
        }
        return names
    }

    private static func name(reflected text: String) -> String {
        guard let angle = text.firstIndex(of: "<"), text.last == ">" else {
            return text.split(separator: ".").dropFirst().joined()
        }
        let argument = text[text.index(after: angle)...].dropLast()
        return name(reflected: String(argument)) + name(reflected: String(text[..<angle]))
    }
}

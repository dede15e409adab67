import Foundation
import PouchWire

/// Makes the schemas of types, and collects the named ones, of objects and enumerations, as components.
final class SchemaRecorder {
    /// Requests refuse unknown fields and treat null as absent. Answers may have further fields and omit null.
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

    /// - Throws: `DecodingError` for a type that cannot be decoded from examples.
    func schema(of type: any Decodable.Type) throws -> JSON {
        func schema<Value: Decodable>(_ type: Value.Type) throws -> JSON {
            try describe(type, FieldFact(), at: []).schema
        }
        return try schema(type)
    }

    /// - Returns: the schema of the type as the value of a field, and an example value.
    func describe<Value: Decodable>(
        _ type: Value.Type, _ fact: FieldFact, at path: [any CodingKey]
    ) throws -> (schema: JSON, value: Value) {
        let (schema, value) = try self.value(of: type, fact, at: path)
        guard let value = value as? Value else {
            throw DecodingError.typeMismatch(type, .init(codingPath: path, debugDescription: "the example's type"))
        }
        return (schema, value)
    }

    private func value<Value: Decodable>(
        of type: Value.Type, _ fact: FieldFact, at path: [any CodingKey]
    ) throws -> (JSON, Any) {
        switch type {
        case is String.Type: return (scalar("string", fact), fact.example?.string ?? "text")
        case is Bool.Type: return (scalar("boolean", fact), true)
        case is Date.Type:
            return (scalar("string", fact).merging(["format": "date-time"]), Date(timeIntervalSince1970: 1_798_859_045))
        case is Double.Type:
            guard case .number(let example)? = fact.example else { return (scalar("number", fact), 1.5) }
            return (scalar("number", fact), example)
        case let type as any FixedWidthInteger.Type:
            let format: [String: JSON] = type.bitWidth > 32 ? ["format": "int64"] : ["format": "int32"]
            guard case .integer(let example)? = fact.example else {
                return (scalar("integer", fact).merging(format), type.init(clamping: 1))
            }
            return (scalar("integer", fact).merging(format), type.init(clamping: example))
        case let type as any DescribedCollection.Type:
            let (schema, value) = try type.describe(with: self, FieldFact(example: fact.example), at: path)
            return (schema.merging(fact.keywords), value)
        case let type as any (CaseIterable & RawRepresentable).Type:
            let (words, first) = try words(of: type, at: path)
            let name = SchemaName.name(of: Value.self)
            return (try reference(to: name, ["type": "string", "enum": .array(words)], at: path), first)
        default:
            return try object(type, fact, at: path)
        }
    }

    private func scalar(_ type: String, _ fact: FieldFact) -> JSON {
        JSON.object(["type": .string(type)]).merging(fact.keywords)
    }

    /// A type with its own `Decodable` conformance: an object, or a wrapper of a single value.
    private func object<Value: Decodable>(
        _ type: Value.Type, _ fact: FieldFact, at path: [any CodingKey]
    ) throws -> (JSON, Any) {
        let form = RecordedForm(facts: (type as? any FieldsDescribed.Type)?.fieldFacts ?? [:])
        let value = try Value(from: SchemaProbe(recorder: self, form: form, fact: fact, codingPath: path))
        guard form.isObject else { return (form.scalar, value) }

        var schema: JSON = [
            "type": "object",
            "properties": .object(
                Dictionary(
                    uniqueKeysWithValues: form.properties.map { name, property in
                        (name, role == .request && form.nullable.contains(name) ? orNull(property) : property)
                    })),
        ]
        let required = form.properties.keys.filter { !form.optional.contains($0) }.sorted()
        if !required.isEmpty { schema["required"] = .array(required.map(JSON.string)) }
        if role == .request { schema["additionalProperties"] = false }
        if let value = value as? any Encodable {
            schema["examples"] = [try WireJSON.decode(JSON.self, from: WireJSON.encode(value))]
        }
        let name = SchemaName.name(of: type)
        return (try reference(to: taken.contains(name) ? name + "Input" : name, schema, at: path), value)
    }

    private func orNull(_ schema: JSON) -> JSON {
        guard let type = schema["type"] else { return ["anyOf": [schema, ["type": "null"]]] }
        return schema.merging(["type": [type, "null"]])
    }

    /// - Throws: `DecodingError` for an enumeration without words.
    private func words(
        of type: any (CaseIterable & RawRepresentable).Type, at path: [any CodingKey]
    ) throws -> ([JSON], Any) {
        func open<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> [(word: String, value: Any)] {
            type.allCases.compactMap { value in (value.rawValue as? String).map { ($0, value) } }
        }
        // `unrecognised` never occurs on the wire; a client decodes unknown words as it.
        let known = open(type).filter { $0.word != "unrecognised" }
        guard let first = known.first else {
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "an enumeration of no words"))
        }
        return (known.map { .string($0.word) }, first.value)
    }

    /// - Throws: `DecodingError` if another type has the same name.
    private func reference(to name: String, _ schema: JSON, at path: [any CodingKey]) throws -> JSON {
        guard components.updateValue(schema, forKey: name) ?? schema == schema else {
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "two types named \(name)"))
        }
        return ["$ref": .string("#/components/schemas/\(name)")]
    }
}

private protocol DescribedCollection {
    /// The schema of the collection, and an example with one element.
    static func describe(
        with recorder: SchemaRecorder, _ fact: FieldFact, at path: [any CodingKey]
    ) throws -> (JSON, Any)
}

extension Array: DescribedCollection where Element: Decodable {
    fileprivate static func describe(
        with recorder: SchemaRecorder, _ fact: FieldFact, at path: [any CodingKey]
    ) throws -> (JSON, Any) {
        let (schema, element) = try recorder.describe(Element.self, fact, at: path)
        return (["type": "array", "items": schema], [element])
    }
}

extension Dictionary: DescribedCollection where Key == String, Value: Decodable {
    fileprivate static func describe(
        with recorder: SchemaRecorder, _ fact: FieldFact, at path: [any CodingKey]
    ) throws -> (JSON, Any) {
        let (schema, value) = try recorder.describe(Value.self, fact, at: path)
        return (["type": "object", "additionalProperties": schema], ["Colour": value])
    }
}

/// The name of a type's schema: the parts of a nested or generic type without modules, such as `OrderEvent` for
/// `Order.Event` and `AddressPage` for `Page<Address>`.
public enum SchemaName {
    public static func name(of type: any Any.Type) -> String {
        name(reflected: String(reflecting: type))
    }

    private static func name(reflected text: String) -> String {
        guard let angle = text.firstIndex(of: "<"), text.last == ">" else {
            return text.split(separator: ".").dropFirst().joined()
        }
        let argument = text[text.index(after: angle)...].dropLast()
        return name(reflected: String(argument)) + name(reflected: String(text[..<angle]))
    }
}

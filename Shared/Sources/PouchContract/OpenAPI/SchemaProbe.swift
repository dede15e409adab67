import Foundation

/// A decoder without input: it gives a type example values and notes the keys that the type asks for.
///
/// So a type's schema follows from its `Decodable` conformance, written or synthesized.
struct SchemaProbe: Decoder {
    let recorder: SchemaRecorder
    let form: RecordedForm
    /// The facts of the field that is being decoded.
    let fact: FieldFact
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        form.isObject = true
        return KeyedDecodingContainer(KeyedProbe<Key>(probe: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DecodingError.dataCorrupted(
            .init(codingPath: codingPath, debugDescription: "Only arrays of one type are described."))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { ScalarProbe(probe: self) }
}

/// The requests of a type to its decoder.
final class RecordedForm {
    var isObject = false
    /// The schema of a type that is a single value.
    var scalar: JSON = [:]
    var properties: [String: JSON] = [:]
    /// Keys for which the type checked whether they exist.
    var optional: Set<String> = []
    /// Keys for which the type checked whether they are null.
    var nullable: Set<String> = []
    let facts: [String: FieldFact]

    init(facts: [String: FieldFact] = [:]) {
        self.facts = facts
    }
}

private struct KeyedProbe<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: SchemaProbe
    var codingPath: [any CodingKey] { probe.codingPath }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        probe.form.optional.insert(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        probe.form.nullable.insert(key.stringValue)
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let name = key.stringValue
        var fact = probe.form.facts[name] ?? FieldFact()
        fact.example = fact.example ?? FieldExamples.byName[name]
        let (schema, value) = try probe.recorder.describe(type, fact, at: codingPath + [key])
        probe.form.properties[name] = schema
        return value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw unnamed(key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw unnamed(key) }
    func superDecoder() throws -> any Decoder { probe }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw unnamed(key) }

    private func unnamed(_ key: Key) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: "A nested object must be a type with a name.")
    }
}

private struct ScalarProbe: SingleValueDecodingContainer {
    let probe: SchemaProbe
    var codingPath: [any CodingKey] { probe.codingPath }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (schema, value) = try probe.recorder.describe(type, probe.fact, at: codingPath)
        probe.form.scalar = schema
        return value
    }
}

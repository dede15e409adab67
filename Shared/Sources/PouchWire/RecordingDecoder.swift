import Foundation

/// Forwards everything to another decoder and notes which keys are asked for.
struct RecordingDecoder: Decoder {
    let base: any Decoder
    let visits: KeyVisits

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let keys = try base.container(keyedBy: AnyKey.self).allKeys
        visits.open(base.codingPath, keys: keys.map(\.stringValue))
        return KeyedDecodingContainer(RecordingKeyedContainer(base: try base.container(keyedBy: type), visits: visits))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        RecordingUnkeyedContainer(base: try base.unkeyedContainer(), visits: visits)
    }

    /// A scalar has no keys to note.
    func singleValueContainer() throws -> any SingleValueDecodingContainer { try base.singleValueContainer() }

    /// Whether the other decoder has to read the type itself: a date or a decimal number in its own way, and the rest
    /// because it is faster and has no keys.
    static func readsDirectly(_ type: any Decodable.Type) -> Bool {
        type is String.Type || type is Int.Type || type is Int64.Type || type is Bool.Type || type is Double.Type
            || type is Date.Type || type is Decimal.Type || type is Data.Type || type is URL.Type
    }
}

/// The keys that each object of a document has, and those that were asked for.
///
/// Confined to one call of `StrictJSON.decode`; `@unchecked Sendable` because `JSONDecoder.userInfo` requires it.
final class KeyVisits: @unchecked Sendable {
    // Bounds what a response repeats of a hostile request.
    private static let mostReported = 20
    private static let longestName = 80

    private var present: [String: Set<String>] = [:]
    private var visited: [String: Set<String>] = [:]

    func open(_ path: [any CodingKey], keys: some Sequence<String>) {
        present[path.fieldPath, default: []].formUnion(keys)
    }

    func visit(_ name: String, at path: [any CodingKey]) {
        visited[path.fieldPath, default: []].insert(name)
    }

    /// In the order of their paths; at most `mostReported`.
    var unknownFields: [FieldProblem] {
        present.flatMap { path, keys in
            keys.subtracting(visited[path] ?? []).map { path.isEmpty ? $0 : path + "." + $0 }
        }
        .sorted()
        .prefix(Self.mostReported)
        .map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(Self.longestName))) }
        .map {
            FieldProblem(
                field: $0, code: ProblemCode.unknownField.rawValue, detail: "\($0) is not a field of this request.")
        }
    }
}

extension [any CodingKey] {
    /// Keys and positions with dots between, such as `lines.0.sku`; empty for the whole document.
    var fieldPath: String { map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") }
}

// MARK: - Containers
//
// One generic `decode` fulfils the protocols' requirement for every type of number too.

private struct RecordingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<Key>
    let visits: KeyVisits

    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] { base.allKeys }

    private func visit(_ key: Key) {
        visits.visit(key.stringValue, at: base.codingPath)
    }

    func contains(_ key: Key) -> Bool {
        visit(key)
        return base.contains(key)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        visit(key)
        return try base.decodeNil(forKey: key)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        visit(key)
        return try DecodingError.placing(type, at: base.codingPath + [key]) {
            guard base.contains(key) else {
                throw DecodingError.keyNotFound(key, .init(codingPath: base.codingPath, debugDescription: ""))
            }
            if RecordingDecoder.readsDirectly(type) { return try base.decode(type, forKey: key) }
            return try Value(from: superDecoder(forKey: key))
        }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        RecordingDecoder(base: try base.superDecoder(), visits: visits)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        visit(key)
        return RecordingDecoder(base: try base.superDecoder(forKey: key), visits: visits)
    }
}

private struct RecordingUnkeyedContainer: UnkeyedDecodingContainer {
    var base: any UnkeyedDecodingContainer
    let visits: KeyVisits

    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    mutating func decodeNil() throws -> Bool { try base.decodeNil() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try DecodingError.placing(type, at: base.codingPath + [AnyKey(intValue: base.currentIndex)]) {
            if RecordingDecoder.readsDirectly(type) { return try base.decode(type) }
            return try Value(from: superDecoder())
        }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        RecordingDecoder(base: try base.superDecoder(), visits: visits)
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

extension DecodingError {
    /// Adds the place to the error by which Foundation's decoder reports a number that does not fit its type.
    fileprivate static func placing<Value>(
        _ type: Value.Type, at path: [any CodingKey], _ decode: () throws -> Value
    ) throws -> Value {
        do {
            return try decode()
        } catch let error where !(error is DecodingError) {
            throw DecodingError.typeMismatch(
                type, .init(codingPath: path, debugDescription: "", underlyingError: error))
        }
    }
}

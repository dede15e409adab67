import Foundation

/// Passes everything through to another decoder and notes which keys were asked for.
struct RecordingDecoder: Decoder {
    let base: any Decoder
    let visits: KeyVisits

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(
            try RecordingKeyedContainer(
                base: base.container(keyedBy: type), all: base.container(keyedBy: AnyKey.self), visits: visits))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        RecordingUnkeyedContainer(base: try base.unkeyedContainer(), visits: visits)
    }

    /// A scalar has no keys, so there is nothing to note.
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try base.singleValueContainer()
    }

    /// Types that the underlying decoder reads in its own way, and that have no keys.
    static func isScalar(_ type: any Decodable.Type) -> Bool {
        type is Date.Type || type is Data.Type || type is URL.Type || type is Decimal.Type
    }
}

/// Takes every key there is.
struct AnyKey: CodingKey {
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

struct RecordingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let base: KeyedDecodingContainer<Key>
    private let visits: KeyVisits

    init(base: KeyedDecodingContainer<Key>, all: KeyedDecodingContainer<AnyKey>, visits: KeyVisits) {
        self.base = base
        self.visits = visits
        visits.open(base.codingPath, keys: all.allKeys.map(\.stringValue))
    }

    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] { base.allKeys }

    private func visit(_ key: Key) {
        visits.visit(key.stringValue, at: base.codingPath)
    }

    private func read<Value>(_ type: Value.Type, _ key: Key, _ decode: () throws -> Value) throws -> Value {
        visit(key)
        return try DecodingError.placing(type, at: base.codingPath + [key], decode)
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
        try read(type, key) {
            guard base.contains(key) else {
                throw DecodingError.keyNotFound(key, .init(codingPath: base.codingPath, debugDescription: ""))
            }
            if RecordingDecoder.isScalar(type) { return try base.decode(type, forKey: key) }
            return try Value(from: RecordingDecoder(base: base.superDecoder(forKey: key), visits: visits))
        }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        visit(key)
        return try RecordingDecoder(base: base.superDecoder(forKey: key), visits: visits).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        visit(key)
        return RecordingUnkeyedContainer(base: try base.nestedUnkeyedContainer(forKey: key), visits: visits)
    }

    func superDecoder() throws -> any Decoder {
        RecordingDecoder(base: try base.superDecoder(), visits: visits)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        visit(key)
        return RecordingDecoder(base: try base.superDecoder(forKey: key), visits: visits)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try read(type, key) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try read(type, key) { try base.decode(type, forKey: key) }
    }
}

struct RecordingUnkeyedContainer: UnkeyedDecodingContainer {
    private var base: any UnkeyedDecodingContainer
    private let visits: KeyVisits

    init(base: any UnkeyedDecodingContainer, visits: KeyVisits) {
        self.base = base
        self.visits = visits
    }

    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    private mutating func read<Value>(
        _ type: Value.Type, _ decode: (inout any UnkeyedDecodingContainer) throws -> Value
    ) throws -> Value {
        try DecodingError.placing(type, at: base.codingPath + [AnyKey(intValue: base.currentIndex)]) {
            try decode(&base)
        }
    }

    mutating func decodeNil() throws -> Bool { try base.decodeNil() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let visits = visits
        return try read(type) { base in
            if RecordingDecoder.isScalar(type) { return try base.decode(type) }
            return try Value(from: RecordingDecoder(base: base.superDecoder(), visits: visits))
        }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        RecordingUnkeyedContainer(base: try base.nestedUnkeyedContainer(), visits: visits)
    }

    mutating func superDecoder() throws -> any Decoder {
        RecordingDecoder(base: try base.superDecoder(), visits: visits)
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try read(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try read(type) { try $0.decode(type) } }
}

extension DecodingError {
    /// Foundation's decoder tells that a number does not fit its type by an error of its own, without the place.
    static func placing<Value>(
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

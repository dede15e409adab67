/// The names of a page's values at any depth, found by decoding the type without any data.
struct ValueNames {
    static func names(of type: any PageValues.Type) -> Set<String> {
        let names = Names()
        _ = try? type.init(from: NameDecoder(names, depth: 0))
        return names.found
    }

    fileprivate final class Names {
        var found: Set<String> = []
    }
}

/// Records the requested keys, and returns a value of the right type for each.
private struct NameDecoder: Decoder {
    /// The maximum depth, which stops at a struct that contains itself.
    private static let deepest = 12

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    fileprivate let names: ValueNames.Names
    fileprivate let depth: Int

    init(_ names: ValueNames.Names, depth: Int) {
        self.names = names
        self.depth = depth
    }

    fileprivate var hasMore: Bool { depth < Self.deepest }
    fileprivate var next: NameDecoder { NameDecoder(names, depth: depth + 1) }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(decoder: self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: NameDecoder
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool {
            decoder.names.found.insert(key.stringValue)
            return decoder.hasMore
        }

        func decodeNil(forKey key: Key) -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            decoder.names.found.insert(key.stringValue)
            return try Value(from: decoder.next)
        }

        func nestedContainer<Nested>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedDecodingContainer<Nested> {
            decoder.next.container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { decoder.next.unkeyedContainer() }

        func superDecoder() -> any Decoder { decoder }

        func superDecoder(forKey key: Key) -> any Decoder { decoder }
    }

    /// A list of one element.
    private struct Elements: UnkeyedDecodingContainer {
        let decoder: NameDecoder
        var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        var count: Int? { decoder.hasMore ? 1 : 0 }
        var isAtEnd: Bool { currentIndex >= (decoder.hasMore ? 1 : 0) }

        mutating func decodeNil() -> Bool { false }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            currentIndex += 1
            return try Value(from: decoder.next)
        }

        mutating func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
            currentIndex += 1
            return decoder.next.container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
            currentIndex += 1
            return decoder.next.unkeyedContainer()
        }

        mutating func superDecoder() -> any Decoder { decoder }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: NameDecoder
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { false }

        func decode(_ type: Bool.Type) -> Bool { false }

        func decode(_ type: Int.Type) -> Int { 0 }

        func decode(_ type: String.Type) -> String { "" }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            throw DecodingError.typeMismatch(
                type, DecodingError.Context(codingPath: [], debugDescription: "A page has no value of this type."))
        }
    }
}

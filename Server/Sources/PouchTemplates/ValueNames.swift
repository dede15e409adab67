/// The names of the values of a type at any depth, found by decoding the type without any data.
package enum ValueNames {
    package static func names(of type: any TemplateValues.Type) -> Set<String> {
        Set(paths(of: type).compactMap(\.last))
    }

    /// The names that tell whether a list has elements, such as `hasOrders`, at any depth.
    package static func flags(of type: any TemplateValues.Type) -> Set<String> {
        Set(found(in: type).lists.map { "has" + $0.prefix(1).uppercased() + $0.dropFirst() })
    }

    /// The path to each value: the names from the outermost value to its own. An element of a list has the path of the
    /// list.
    package static func paths(of type: any TemplateValues.Type) -> Set<[String]> {
        found(in: type).found
    }

    private static func found(in type: any TemplateValues.Type) -> Paths {
        let paths = Paths()
        _ = try? type.init(from: NameDecoder(paths))
        return paths
    }

    fileprivate final class Paths {
        var found: Set<[String]> = []
        var lists: Set<String> = []
    }
}

/// Records the paths of the requested keys, and returns a value of the right type for each.
private struct NameDecoder: Decoder {
    /// The maximum depth, which stops at a struct that contains itself.
    private static let deepest = 12

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let paths: ValueNames.Paths
    private let path: [String]
    private let depth: Int

    init(_ paths: ValueNames.Paths, path: [String] = [], depth: Int = 0) {
        self.paths = paths
        self.path = path
        self.depth = depth
    }

    fileprivate var hasMore: Bool { depth < Self.deepest }
    /// The decoder of an element of a list.
    fileprivate var element: NameDecoder { NameDecoder(paths, path: path, depth: depth + 1) }

    /// Records a key, and returns the decoder of its value.
    @discardableResult
    fileprivate func value(of key: some CodingKey) -> NameDecoder {
        let path = path + [key.stringValue]
        paths.found.insert(path)
        return NameDecoder(paths, path: path, depth: depth + 1)
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        if let list = path.last { paths.lists.insert(list) }
        return Elements(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: NameDecoder
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool {
            decoder.value(of: key)
            return decoder.hasMore
        }

        func decodeNil(forKey key: Key) -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try Value(from: decoder.value(of: key))
        }

        func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedDecodingContainer<Nested> {
            decoder.value(of: key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
            decoder.value(of: key).unkeyedContainer()
        }

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
            return try Value(from: decoder.element)
        }

        mutating func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
            currentIndex += 1
            return decoder.element.container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
            currentIndex += 1
            return decoder.element.unkeyedContainer()
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
                type, DecodingError.Context(codingPath: [], debugDescription: "No template has a value of this type."))
        }
    }
}

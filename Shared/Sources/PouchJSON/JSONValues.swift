import Foundation

// The coding of texts, numbers, times, lists, dictionaries and enumerations.

extension Optional: JSONCodable where Wrapped: JSONCodable {
    @inlinable
    public init(reading json: inout JSONReader) throws(JSONError) {
        self = try json.null() ? nil : try Wrapped(reading: &json)
    }

    @inlinable
    public func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.null() }
    }

    public static var jsonShape: JSONShape { .nullable(Wrapped.jsonShape) }
    @inlinable public static var absent: Self? { .some(nil) }
    @inlinable public var isAbsent: Bool { self == nil }
}

extension String: JSONCodable {
    @inlinable
    public init(reading json: inout JSONReader) throws(JSONError) { self = try json.text() }
    @inlinable
    public func write(to json: inout JSONWriter) { json.text(self) }
    public static var jsonShape: JSONShape { .text }
}

extension Bool: JSONCodable {
    @inlinable
    public init(reading json: inout JSONReader) throws(JSONError) { self = try json.bool() }
    @inlinable
    public func write(to json: inout JSONWriter) { json.bool(self) }
    public static var jsonShape: JSONShape { .bool }
}

extension JSONCodable where Self: FixedWidthInteger & SignedInteger {
    @inlinable
    public init(reading json: inout JSONReader) throws(JSONError) { self = try json.integer(Self.self) }
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
    public static var jsonShape: JSONShape { .integer(bits: bitWidth) }
}

extension Int: JSONCodable {}
extension Int64: JSONCodable {}
extension Int32: JSONCodable {}

extension Double: JSONCodable {
    @inlinable
    public init(reading json: inout JSONReader) throws(JSONError) { self = try json.number() }
    @inlinable
    public func write(to json: inout JSONWriter) { json.number(self) }
    public static var jsonShape: JSONShape { .number }
}

extension Date: JSONCodable {
    @inlinable
    public init(reading json: inout JSONReader) throws(JSONError) { self = try json.time() }
    @inlinable
    public func write(to json: inout JSONWriter) { json.time(self) }
    public static var jsonShape: JSONShape { .time }
}

extension Array: JSONCodable where Element: JSONCodable {
    @inlinable
    public init(reading json: inout JSONReader) throws(JSONError) {
        self.init()
        try json.list { (json) throws(JSONError) in append(try Element(reading: &json)) }
    }

    @inlinable
    public func write(to json: inout JSONWriter) { json.list(self) }
    public static var jsonShape: JSONShape { .list(Element.jsonShape) }
}

extension Dictionary: JSONCodable where Key == String, Value: JSONCodable {
    @inlinable
    public init(reading json: inout JSONReader) throws(JSONError) {
        self.init()
        let rules = json.rules
        try json.object { (json, key) throws(JSONError) in
            let name = try key.name(rules)
            try json.at({ name }) { (json) throws(JSONError) in
                guard updateValue(try Value(reading: &json), forKey: name) == nil else { throw .here(.duplicate) }
            }
        }
    }

    @inlinable
    public func write(to json: inout JSONWriter) {
        json.object { json in
            for (key, value) in sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                json.key(key)
                value.write(to: &json)
            }
        }
    }

    public static var jsonShape: JSONShape { .map(Value.jsonShape) }
}

// MARK: - Types with a text

extension JSONCodable where Self: RawRepresentable, RawValue == String {
    @inlinable
    public init(reading json: inout JSONReader) throws(JSONError) {
        guard let value = Self(rawValue: try json.text()) else { throw .here(.invalid) }
        self = value
    }

    @inlinable
    public func write(to json: inout JSONWriter) { json.text(rawValue) }
    public static var jsonShape: JSONShape { .text }
}

extension JSONCodable where Self: RawRepresentable & CaseIterable, RawValue == String {
    public static var jsonShape: JSONShape { .word(Self.self, words: allCases.map(\.rawValue)) }
}

// MARK: - Enumerations with values
//
// In the form that Swift synthesizes for Codable, in which earlier versions stored them: `{"season": {"_0": …}}`, and
// `{"category": {"id": …, "name": …}}` for values with names.

extension JSONReader {
    /// Reads an object with one member, which names a case.
    ///
    /// - Parameter read: reads the case; nil for a name that the enumeration does not have.
    public mutating func choice<Value>(
        _ read: (inout JSONReader, String) throws(JSONError) -> Value?
    ) throws(JSONError) -> Value {
        var value: Value?
        try object { (json, key) throws(JSONError) in
            let name = try key.name(json.rules)
            try json.at({ name }) { (json) throws(JSONError) in
                guard value == nil else { throw .here(.duplicate) }
                let start = json.place
                value = try read(&json, name)
                // A case without a value reads nothing.
                if json.place == start { try json.skip() }
            }
        }
        guard let value else { throw .here(.invalid) }
        return value
    }

    /// Reads the value of a case.
    public mutating func associatedValue<Value: JSONCodable>() throws(JSONError) -> Value {
        var value: Value?
        try object { (json, key) throws(JSONError) in
            guard "_0" ~= key else { return try json.skipUnknown(key) }
            value = try Value(reading: &json)
        }
        guard let value else { throw JSONError.here(.missing).within("_0") }
        return value
    }
}

extension JSONWriter {
    public mutating func choice(_ name: String, _ value: some JSONCodable) {
        object { json in
            json.key(name)
            json.object { json in
                json.key("_0")
                value.write(to: &json)
            }
        }
    }

    /// A case whose values have names, as the fields of an object.
    public mutating func choice(_ name: String, fields: some JSONModel) {
        object { json in
            json.key(name)
            fields.write(to: &json)
        }
    }

    /// A case without a value.
    public mutating func choice(_ name: String) {
        object { json in
            json.key(name)
            json.object { _ in }
        }
    }
}

/// A type whose JSON is an object, from one description of its fields.
///
/// Reading, writing and the schema are derived from the description. It names the fields in the order of the parameters
/// of an initializer, which reads them:
///
///     struct Line: JSONModel {
///         let sku: String
///         let quantity: Int
///         let note: String?       // a field that may be absent
///
///         static let json = JSONObject(
///             Line.init, .field("sku", \.sku), .field("quantity", \.quantity), .field("note", \.note))
///     }
///
/// The compiler does not detect two swapped parameters of the same type, so a test compares each type with a literal
/// document.
///
/// An `Encodable` or `Decodable` model also gets these conformances from the description, for an app's own storage.
/// They go through the bytes of the JSON and ignore the coder's strategies.
public protocol JSONModel: JSONCodable {
    associatedtype Slots
    static var json: JSONObject<Self, Slots> { get }
}

extension JSONModel {
    @inlinable
    public init(reading json: inout JSONReader) throws(JSONError) { self = try Self.json.read(&json) }
    @inlinable
    public func write(to json: inout JSONWriter) { Self.json.write(self, to: &json) }
    public static var jsonShape: JSONShape { json.shape }
}

extension JSONModel where Self: Codable {
    public func encode(to encoder: any Encoder) throws { try JSON(json: json()).encode(to: encoder) }

    public init(from decoder: any Decoder) throws {
        let json = try JSON(from: decoder).json()
        self = try Self(json: json, .stored)
    }
}

/// A field of an object: its key, and how to get its value from a model.
public struct JSONField<Model, Value: JSONCodable>: Sendable {
    @usableFromInline let name: StaticString
    @usableFromInline let acceptsNull: Bool
    @usableFromInline let get: @Sendable (Model) -> Value
    /// The fields of the value, if they are in the same object.
    @usableFromInline let embedded: [JSONMember<Model, Void>]

    /// - Parameters:
    ///   - name: the key, in ASCII, without characters that need escapes.
    ///   - get: returns the value; a key path literal becomes a closure here.
    @inlinable @inline(__always)
    public static func field(_ name: StaticString, _ get: @escaping @Sendable (Model) -> Value) -> Self {
        Self(name, acceptsNull: true, get)
    }

    /// A field that may be absent, but not null.
    @inlinable @inline(__always)
    public static func nonNull<Wrapped>(
        _ name: StaticString, _ get: @escaping @Sendable (Model) -> Value
    ) -> Self where Value == Wrapped? {
        Self(name, acceptsNull: false, get)
    }

    /// The fields of a value, at the same level as the model's own.
    public static func fields(of get: @escaping @Sendable (Model) -> Value) -> Self where Value: JSONModel {
        Self("", acceptsNull: false, get, embedded: Value.json.members.map { $0.embedded(get) })
    }

    @inlinable @inline(__always)
    init(
        _ name: StaticString, acceptsNull: Bool, _ get: @escaping @Sendable (Model) -> Value,
        embedded: [JSONMember<Model, Void>] = []
    ) {
        self.name = name
        self.acceptsNull = acceptsNull
        self.get = get
        self.embedded = embedded
    }
}

/// The description of an object's fields.
///
/// Its initializers are in `JSONObject+Fields.swift`. `Slots` is a tuple of the values read so far.
public struct JSONObject<Model, Slots>: Sendable {
    /// The members in the order of their names.
    @usableFromInline let members: [JSONMember<Model, Slots>]
    /// Read the values whose fields are among the members.
    @usableFromInline let embeddings: [@Sendable (inout JSONReader, inout Slots) throws(JSONError) -> Void]
    /// The bits of the members that must be present.
    @usableFromInline let required: UInt64
    @usableFromInline let empty: @Sendable () -> Slots
    @usableFromInline let make: @Sendable (inout Slots) throws -> Model

    /// - Precondition: at most 64 members.
    @usableFromInline
    init(
        _ members: [JSONMember<Model, Slots>], _ empty: @escaping @Sendable () -> Slots,
        _ make: @escaping @Sendable (inout Slots) throws -> Model
    ) {
        self.members = members.flatMap { $0.embedded.isEmpty ? [$0] : $0.embedded.map { $0.embedded { $0 } } }
            .sorted { $0.name.description < $1.name.description }
        precondition(self.members.count <= UInt64.bitWidth)
        embeddings = members.filter { !$0.embedded.isEmpty }.map(\.read)
        required = self.members.enumerated().reduce(0) { $1.element.isRequired ? $0 | 1 << UInt64($1.offset) : $0 }
        self.empty = empty
        self.make = make
    }

    @inlinable
    func write(_ model: Model, to json: inout JSONWriter) {
        json.object { json in
            for index in members.indices { members[index].write(model, &json) }
        }
    }

    @inlinable
    func read(_ json: inout JSONReader) throws(JSONError) -> Model {
        var slots = empty()
        for read in embeddings {
            try json.ahead { (json) throws(JSONError) in try read(&json, &slots) }
        }
        var present: UInt64 = 0
        var expected = 0
        try json.object { (json, key) throws(JSONError) in
            guard let index = index(of: key, expected: &expected) else { return try json.skipUnknown(key) }
            let bit: UInt64 = 1 << UInt64(index)
            let isNew = present & bit == 0
            present |= bit
            try json.at({ key.string }) { (json) throws(JSONError) in
                guard isNew else { throw .here(.duplicate) }
                try members[index].read(&json, &slots)
            }
        }
        guard present & required == required else { throw missing(present) }
        do {
            return try make(&slots)
        } catch {
            throw .here(.invalid)
        }
    }

    /// Looks first where a text written from this description has the key.
    @inlinable @inline(__always)
    func index(of key: JSONKey, expected: inout Int) -> Int? {
        var index = expected
        for _ in 0..<members.count {
            if index >= members.count { index = 0 }
            if members[index].name ~= key {
                expected = index + 1
                return index
            }
            index += 1
        }
        return nil
    }

    @usableFromInline
    func missing(_ present: UInt64) -> JSONError {
        JSONError.here(.missing).within(members[(required & ~present).trailingZeroBitCount].name.description)
    }

    var shape: JSONShape {
        .object(
            Model.self,
            fields: members.map { member in
                var shape = member.shape()
                var acceptsNull = false
                if case .nullable(let wrapped) = shape { (shape, acceptsNull) = (wrapped, member.acceptsNull) }
                return .init(
                    name: member.name.description, isRequired: member.isRequired, acceptsNull: acceptsNull,
                    shape: shape)
            })
    }
}

/// A field without the type of its value.
@usableFromInline
struct JSONMember<Model, Slots>: Sendable {
    @usableFromInline let name: StaticString
    @usableFromInline let isRequired: Bool
    @usableFromInline let acceptsNull: Bool
    @usableFromInline let shape: @Sendable () -> JSONShape
    /// The members of the value, if they are in the same object.
    @usableFromInline let embedded: [JSONMember<Model, Void>]
    @usableFromInline let write: @Sendable (Model, inout JSONWriter) -> Void
    @usableFromInline let read: @Sendable (inout JSONReader, inout Slots) throws(JSONError) -> Void

    @usableFromInline
    init(
        name: StaticString, isRequired: Bool, acceptsNull: Bool, shape: @escaping @Sendable () -> JSONShape,
        embedded: [JSONMember<Model, Void>] = [], write: @escaping @Sendable (Model, inout JSONWriter) -> Void,
        read: @escaping @Sendable (inout JSONReader, inout Slots) throws(JSONError) -> Void
    ) {
        self.name = name
        self.isRequired = isRequired
        self.acceptsNull = acceptsNull
        self.shape = shape
        self.embedded = embedded
        self.write = write
        self.read = read
    }

    @inlinable @inline(__always)
    init<Value: JSONCodable>(
        _ field: JSONField<Model, Value>, _ set: @escaping @Sendable (inout Slots, consuming Value) -> Void
    ) {
        let (name, acceptsNull, get) = (field.name, field.acceptsNull, field.get)
        self.init(
            name: name, isRequired: Value.absent == nil, acceptsNull: acceptsNull, shape: { Value.jsonShape },
            embedded: field.embedded,
            write: { model, json in
                let value = get(model)
                guard !value.isAbsent else { return }
                json.comma(unlessAfter: UInt8(ascii: "{"))
                json.byte(UInt8(ascii: "\""))
                json.raw(name)
                json.byte(UInt8(ascii: "\""))
                json.byte(UInt8(ascii: ":"))
                value.write(to: &json)
            },
            read: { (json, slots) throws(JSONError) in
                if !acceptsNull, try json.null() { throw .here(.null) }
                set(&slots, try Value(reading: &json))
            })
    }

    /// The member of a model whose fields are embedded in another. It is written here, and read with the model.
    @usableFromInline
    func embedded<Outer, OuterSlots>(_ get: @escaping @Sendable (Outer) -> Model) -> JSONMember<Outer, OuterSlots> {
        JSONMember<Outer, OuterSlots>(
            name: name, isRequired: isRequired, acceptsNull: acceptsNull, shape: shape,
            write: { [write] outer, json in write(get(outer), &json) },
            read: { (json, _) throws(JSONError) in try json.skip() })
    }
}

extension Optional where Wrapped: JSONCodable {
    /// Returns the value that was read, or that of an absent key. Required fields have already been checked.
    @inlinable @inline(__always)
    mutating func value() throws(JSONError) -> Wrapped {
        guard let value = self.take() ?? Wrapped.absent else { throw .here(.missing) }
        return value
    }
}

/// The header fields of a message, in order; names are compared without regard to case.
///
/// Its description leaves out the values of `Authorization`, so that a log cannot leak a token.
public struct HeaderFields: Sendable, Equatable {
    public struct Field: Sendable, Equatable {
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public private(set) var fields: [Field]

    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The values of all fields of that name, in order.
    public func all(_ name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// The first field of that name. Setting replaces all of that name; nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            fields.removeAll { $0.isNamed(name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }
}

extension HeaderFields.Field {
    fileprivate func isNamed(_ other: String) -> Bool {
        name.count == other.count && name.lowercased() == other.lowercased()
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension HeaderFields: CustomStringConvertible, CustomReflectable {
    public var description: String {
        fields.map { "\($0.name): \($0.isNamed("Authorization") ? "(hidden)" : $0.value)" }.joined(separator: ", ")
    }

    public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }
}

/// The header fields of a message, in order. Names are compared without regard to case. The description hides the
/// values of credentials and cookies, so that a log cannot leak a token.
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

    /// The values of all fields with this name, in order.
    public func all(_ name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// The first field with this name. Setting a value replaces all fields with the name; nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            fields.removeAll { $0.isNamed(name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension HeaderFields: CustomStringConvertible, CustomReflectable {
    public var description: String { fields.map(\.description).joined(separator: ", ") }

    public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }
}

extension HeaderFields.Field: CustomStringConvertible, CustomReflectable {
    private static let secretNames = [
        "Authorization", "Proxy-Authorization", "Authentication-Info", "Cookie", "Set-Cookie",
    ]

    public var description: String { "\(name): \(Self.secretNames.contains(where: isNamed) ? "(hidden)" : value)" }

    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }

    fileprivate func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { one, other in
                one == other || one ^ other == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(one | 0x20)
            }
    }
}

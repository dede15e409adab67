/// The header fields of a message, in order. Names are case-insensitive. The description hides the values of
/// credentials and cookies, so that a log cannot leak a token.
public struct HeaderFields: Sendable, Equatable {
    public struct Field: Sendable, Equatable {
        public let name: String
        public let value: String
        private let isMarked: Bool

        /// `isCredential` means that the field authenticates the sender, so that no description shows its value and no
        /// redirect sends it to another origin. `Authorization` and `Proxy-Authorization` always do.
        public init(name: String, value: String, isCredential: Bool = false) {
            self.name = name
            self.value = value
            isMarked = isCredential
        }

        public var isCredential: Bool { isMarked || Self.credentialNames.contains(where: isNamed) }
    }

    public private(set) var fields: [Field]

    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The values of all fields with this name, in order.
    public func all(_ name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// The first field with this name. Setting a value replaces all fields with the name; the new field is a credential
    /// if one of them was. Setting nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            let isCredential = fields.contains { $0.isNamed(name) && $0.isCredential }
            fields.removeAll { $0.isNamed(name) }
            if let newValue { fields.append(Field(name: name, value: newValue, isCredential: isCredential)) }
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
    fileprivate static let credentialNames = ["Authorization", "Proxy-Authorization"]
    private static let secretNames = ["Authentication-Info", "Cookie", "Set-Cookie"]

    public var description: String {
        "\(name): \(isCredential || Self.secretNames.contains(where: isNamed) ? "(hidden)" : value)"
    }

    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }

    func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { one, other in
                one == other || one ^ other == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(one | 0x20)
            }
    }
}

/// A discount code as administrators see it.
public struct ManagedDiscount: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    public let terms: DiscountTerms
    /// Orders that it was used for.
    public let used: Int

    public init(id: String, terms: DiscountTerms, used: Int) {
        self.id = id
        self.terms = terms
        self.used = used
    }

    private enum CodingKeys: CodingKey {
        case id, used
    }

    /// The terms stand beside id and uses, in the same object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(String.self, forKey: .id),
            terms: try DiscountTerms(from: decoder),
            used: try container.decode(Int.self, forKey: .used))
    }

    public func encode(to encoder: any Encoder) throws {
        try terms.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(used, forKey: .used)
    }
}

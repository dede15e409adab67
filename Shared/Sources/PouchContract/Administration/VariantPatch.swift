import PouchEntities

/// The body of `updateVariant`. Nothing of it can be cleared.
public struct VariantPatch: Codable, Sendable, Equatable {
    /// The variant's own price; what is scheduled stays.
    public let price: Money?
    /// Sets how many units can be bought; what orders hold stays on hand beside them.
    public let available: Int?
    /// Adds to the units on hand, or takes from them; not together with `available`.
    public let adjust: Int?

    public init(price: Money? = nil, available: Int? = nil, adjust: Int? = nil) {
        self.price = price
        self.available = available
        self.adjust = adjust
    }

    private enum CodingKeys: CodingKey {
        case price, available, adjust
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        price = try container.decodeGiven(Money.self, forKey: .price)
        available = try container.decodeGiven(Int.self, forKey: .available)
        adjust = try container.decodeGiven(Int.self, forKey: .adjust)
    }
}

extension KeyedDecodingContainer {
    /// A field of a PATCH that can be set but not cleared: nil when its key is absent, an error when it is null.
    func decodeGiven<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}

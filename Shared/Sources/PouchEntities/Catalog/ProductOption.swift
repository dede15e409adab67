/// One way in which a product's variants differ, as in Size, with its values in display order.
public struct ProductOption: Codable, Sendable, Hashable {
    public let name: String
    public let values: [String]

    public init(name: String, values: [String]) {
        self.name = name
        self.values = values
    }
}

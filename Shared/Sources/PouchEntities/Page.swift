/// One page of a list.
public struct Page<Item: Sendable>: Sendable {
    public let items: [Item]
    /// Where the next page begins; nil on the last one. Opaque.
    public let nextCursor: String?

    public init(items: [Item], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

extension Page: Codable where Item: Codable {}
extension Page: Equatable where Item: Equatable {}

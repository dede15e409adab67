/// The values by which a list can be narrowed in one respect, counted without that respect's own filter.
public struct Facet: Codable, Sendable, Hashable {
    public struct Value: Codable, Sendable, Hashable {
        public let value: String
        /// Products that would remain.
        public let count: Int

        public init(value: String, count: Int) {
            self.value = value
            self.count = count
        }
    }

    /// The query parameter that filters by it: `category`, `season`, `theme`, `tag` or `option.` and an option's name.
    public let name: String
    /// The most frequent first.
    public let values: [Value]

    public init(name: String, values: [Value]) {
        self.name = name
        self.values = values
    }
}

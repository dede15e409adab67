/// The kind of animal that picks somebody up.
public struct RideOption: Codable, Sendable, Hashable, Identifiable {
    /// Drawings for a button; paths on the server.
    public struct Images: Codable, Sendable, Hashable {
        public let normal: String
        public let selected: String

        public init(normal: String, selected: String) {
            self.normal = normal
            self.selected = selected
        }
    }

    public let id: String
    public let name: String
    /// How many ride at once.
    public let capacity: Int
    public let maxWeightGrams: Int
    public let images: Images

    public init(id: String, name: String, capacity: Int, maxWeightGrams: Int, images: Images) {
        self.id = id
        self.name = name
        self.capacity = capacity
        self.maxWeightGrams = maxWeightGrams
        self.images = images
    }
}

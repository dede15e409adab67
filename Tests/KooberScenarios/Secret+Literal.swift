import PouchEntities

/// In a test a password may stand in the source.
extension Secret: @retroactive ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

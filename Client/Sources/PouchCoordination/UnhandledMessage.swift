/// A message that went up to the root without finding anybody who handles its family.
public struct UnhandledMessage: Error, Sendable, Equatable {
    /// The family's name, as in `CartMessages`.
    public let family: String

    public init(family: String) {
        self.family = family
    }
}

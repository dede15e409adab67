public struct Discount: Sendable {}

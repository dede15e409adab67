/// What a feed does to a value that has no empty form of its own.
public enum FeedChange<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    case set(Value)
    case cleared
}

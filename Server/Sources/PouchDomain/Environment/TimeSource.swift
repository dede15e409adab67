import Foundation

/// What the rules take for now.
public protocol TimeSource: Sendable {
    var now: Date { get }
}

/// The clock of the machine.
public struct SystemTime: TimeSource {
    public init() {}

    public var now: Date { Date() }
}

import Testing

/// What somebody does with the app, and all that they see meanwhile.
public struct Scenario: Sendable, CustomTestStringConvertible {
    public let name: String
    public let run: @MainActor @Sendable (AppUnderTest) async throws -> Void

    public init(_ name: String, _ run: @escaping @MainActor @Sendable (AppUnderTest) async throws -> Void) {
        self.name = name
        self.run = run
    }

    public var testDescription: String { name }

    public static let all = launch + onboarding + location + dropoff + request + waiting + profile + scopes
}

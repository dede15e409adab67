import Testing

/// What somebody does with the app, and all that they see meanwhile.
struct Scenario: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @MainActor @Sendable (AppUnderTest) async throws -> Void

    init(_ name: String, _ run: @escaping @MainActor @Sendable (AppUnderTest) async throws -> Void) {
        self.name = name
        self.run = run
    }

    var testDescription: String { name }

    static let all = launch + onboarding + location + dropoff + request + waiting + profile + scopes
}

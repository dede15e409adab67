import KooberElements
import KooberKit
import KooberMVVM
import KooberRedux
import KooberScreens
import Testing

/// A story that every architecture has to show, screen by screen.
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

/// The architectures whose apps behave alike.
public enum KooberArchitecture: CaseIterable, Sendable {
    case mvvm
    case redux
    case elements

    @MainActor
    public func makeApp(model: any KooberModelFactory) -> any KooberApp {
        switch self {
        case .mvvm: MVVMApp(model: model)
        case .redux: ReduxApp(model: model)
        case .elements: ElementsApp(model: model)
        }
    }
}

import KooberElements
import KooberKit
import KooberMVVM
import KooberRedux
import KooberScreens
import Testing

/// A story that every architecture has to show, screen by screen.
public struct Scenario: Sendable, CustomTestStringConvertible {
    public let name: String
    /// The place at which the app starts.
    public let destination: Destination?
    public let run: @MainActor @Sendable (AppUnderTest) async throws -> Void

    public init(
        _ name: String, opening destination: Destination? = nil,
        _ run: @escaping @MainActor @Sendable (AppUnderTest) async throws -> Void
    ) {
        self.name = name
        self.destination = destination
        self.run = run
    }

    public var testDescription: String { name }

    public static let all = launch + onboarding + location + dropoff + request + waiting + profile + places + scopes
}

/// The architectures whose apps behave alike.
public enum KooberArchitecture: CaseIterable, Sendable {
    case mvvm
    case redux
    case elements

    @MainActor
    public func makeApp(model: any KooberModelFactory, opening destination: Destination? = nil) -> any KooberApp {
        switch self {
        case .mvvm: MVVMApp(model: model, opening: destination)
        case .redux: ReduxApp(model: model, opening: destination)
        case .elements: ElementsApp(model: model, opening: destination)
        }
    }
}

import KooberKit

public struct LaunchState: PresentsErrors {
    public var errors: [ErrorMessage] = []

    public init() {}
}

import KooberKit

/// Of finding out who is signed in.
public struct LaunchState: PresentsErrors {
    public var errors: [ErrorMessage] = []

    public init() {}
}

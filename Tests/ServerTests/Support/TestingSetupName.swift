import HummingbirdTesting

/// The two ways to send requests, as arguments of a test.
enum TestingSetupName: CaseIterable {
    /// Without a socket.
    case router
    /// Over TCP.
    case live

    var value: TestingSetup {
        switch self {
        case .router: .router
        case .live: .live
        }
    }
}

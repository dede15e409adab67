import HummingbirdTesting
import ServerTesting
import Testing

/// Runs each test in a shop of its own: `TestShop.current`. Cases of a test with arguments have a shop each, unless the test
/// has the trait `oneShop`.
struct InShop: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var shop: TestShop?

    let products: [FeedProduct]
    let setup: TestingSetup
    let runsJobs: Bool
    let configure: @Sendable (inout ServerConfiguration) -> Void

    /// The tests of a suite share no shop.
    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        let isShared = test.traits.contains { $0 is OneShop }
        return !test.isSuite && isShared == (testCase == nil) ? self : nil
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await TestShop.open(products, setup: setup, runsJobs: runsJobs, configure: configure) { shop in
            try await Self.$shop.withValue(shop) { try await function() }
        }
    }
}

/// Lets all cases of a test use one shop. None of them may depend on what another leaves there.
struct OneShop: TestTrait {}

extension Trait where Self == OneShop {
    static var oneShop: Self { Self() }
}

extension Trait where Self == InShop {
    /// A shop for each test. The parameters are those of `TestShop.open`.
    static func inShop(
        _ products: [FeedProduct] = .usual, setup: TestingSetup = .router, runsJobs: Bool = true,
        configure: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in }
    ) -> Self { Self(products: products, setup: setup, runsJobs: runsJobs, configure: configure) }

    /// A shop for each test that trusts a proxy on its machine, so that requests can come from several networks.
    static func behindProxy(
        _ products: [FeedProduct] = .usual, _ change: @escaping @Sendable (inout RequestPolicy) -> Void = { _ in }
    ) -> Self {
        .inShop(products, setup: .live) { configuration in
            configuration.policy.trustedProxies = .local
            change(&configuration.policy)
        }
    }
}

extension TestShop {
    /// The shop of a test that has the trait `inShop`, or whose suite has it. A suite keeps it in a property, since
    /// threads of the database cannot read it.
    static var current: TestShop {
        guard let shop = InShop.shop else { preconditionFailure("Only a test with the trait inShop has a shop.") }
        return shop
    }
}

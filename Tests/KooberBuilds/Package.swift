// swift-tools-version: 6.2
import PackageDescription

func client(_ name: String) -> Target.Dependency { .product(name: name, package: "Client") }

let entities = Target.Dependency.product(name: "PouchEntities", package: "Shared")

// Koober and its examples alone, in builds with compilation conditions of their own: .ci/koober-builds. No traits, so that
// it needs no third parties. The scenarios are those of the other tests.
let package = Package(
    name: "KooberBuilds",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../../Shared"), .package(path: "../../Client")],
    targets: [
        .executableTarget(
            name: "onboard", dependencies: [client("KooberDependencies"), client("KooberKit"), entities]),
        .target(
            name: "KooberScenarios",
            dependencies: [
                "KooberElements", "KooberKit", "KooberMVVM", "KooberRedux", "KooberScreens", "KooberTerminal",
                "KooberTexts", "PouchTerminal",
            ].map(client) + [entities]),
        .testTarget(
            name: "BuildTests",
            dependencies: [
                "KooberScenarios", client("KooberBuilds"), client("KooberKit"), client("KooberTexts"),
                client("PouchClient"), client("PouchTesting"), entities,
            ],
            path: "Tests"),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

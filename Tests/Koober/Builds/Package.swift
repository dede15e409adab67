// swift-tools-version: 6.2
import PackageDescription

func client(_ name: String) -> Target.Dependency { .product(name: name, package: "Client") }
func koober(_ name: String) -> Target.Dependency { .product(name: name, package: "Koober") }
func shared(_ name: String) -> Target.Dependency { .product(name: name, package: "Shared") }

let entities = shared("PouchEntities")

// Koober and its examples alone, in builds with compilation conditions of their own: .ci/koober-builds. No traits, so that
// it needs no third parties. The scenarios are those of the other tests.
let package = Package(
    name: "KooberBuilds",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../../../Shared"), .package(path: "../../../Client"), .package(path: "../../../Client/Koober"),
    ],
    targets: [
        .executableTarget(
            name: "onboard", dependencies: [koober("KooberDependencies"), koober("KooberKit"), entities]),
        .target(
            name: "ClientTesting",
            dependencies: ["PouchNetwork", "PouchService", "PouchTesting"].map(client)
                + ["PouchContract", "PouchEntities", "PouchJSON", "PouchWire"].map(shared)),
        .target(
            name: "KooberScenarios",
            dependencies: [
                "KooberElements", "KooberKit", "KooberMVVM", "KooberRedux", "KooberScreens", "KooberTerminal",
                "KooberTexts",
            ].map(koober) + ["ClientTesting", client("PouchTerminal"), entities]),
        .testTarget(
            name: "BuildTests",
            dependencies: [
                "KooberScenarios", koober("KooberBuilds"), koober("KooberKit"), koober("KooberTexts"),
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

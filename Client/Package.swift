// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Client",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        // Static, since only a product with a type can be built by its name; who links it sees no difference.
        .library(name: "PouchClient", type: .static, targets: ["PouchClient"]),
        .library(name: "PouchManagers", targets: ["PouchManagers"]),
        .library(name: "PouchData", targets: ["PouchData"]),
        .library(name: "PouchService", targets: ["PouchService"]),
        .library(name: "PouchNetwork", targets: ["PouchNetwork"]),
        .executable(name: "pouch", targets: ["pouch"]),
    ],
    traits: [
        // Off by default, so that a package which links PouchClient fetches nothing from third parties.
        .trait(name: "TerminalPrograms", description: "Builds the terminal program pouch.")
    ],
    dependencies: [
        .package(path: "../Shared"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .target(name: "PouchNetwork"),
        .target(name: "PouchService", dependencies: ["PouchNetwork", .product(name: "PouchWire", package: "Shared")]),
        .target(
            name: "PouchData",
            dependencies: [
                "PouchService",
                .product(name: "PouchContract", package: "Shared"),
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchWire", package: "Shared"),
            ]
        ),
        .target(
            name: "PouchManagers",
            dependencies: ["PouchData", .product(name: "PouchEntities", package: "Shared")]
        ),
        .target(
            name: "PouchClient",
            dependencies: [
                "PouchNetwork", "PouchService", "PouchData", "PouchManagers",
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchWire", package: "Shared"),
            ]
        ),
        .executableTarget(
            name: "pouch",
            dependencies: [
                "PouchClient",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["TerminalPrograms"])
                ),
            ]
        ),
    ]
)

// The same block stands in all four manifests.
for target in package.targets where target.type != .plugin && target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .swiftLanguageMode(.v6),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}

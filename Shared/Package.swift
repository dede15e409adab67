// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Shared",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        "PouchJSON", "PouchAccess", "PouchWire", "PouchEntities", "PouchFeed", "PouchContract", "PouchOpenAPI",
        "PouchVersion",
    ].map { .library(name: $0, targets: [$0]) },
    targets: [
        .target(name: "PouchJSON"),
        .target(name: "PouchAccess"),
        .target(name: "PouchWire", dependencies: ["PouchAccess", "PouchJSON"]),
        .target(name: "PouchEntities", dependencies: ["PouchAccess", "PouchJSON"]),
        .target(name: "PouchFeed", dependencies: ["PouchJSON", "PouchEntities"]),
        .target(name: "PouchContract", dependencies: ["PouchJSON", "PouchWire", "PouchEntities"]),
        .target(name: "PouchOpenAPI", dependencies: ["PouchContract", "PouchJSON", "PouchWire", "PouchEntities"]),
        // In C, so that a release compiles nothing again but this: POUCH_VERSION=1.2.0 swift build.
        .target(
            name: "PouchVersion",
            cSettings: Context.environment["POUCH_VERSION"].map { [.define("POUCH_VERSION", to: $0)] } ?? []),
    ]
)

// The same block stands in all five manifests.
for target in package.targets where target.type != .plugin && target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .swiftLanguageMode(.v6),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Shared",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "PouchJSON", targets: ["PouchJSON"]),
        .library(name: "PouchAccess", targets: ["PouchAccess"]),
        .library(name: "PouchWire", targets: ["PouchWire"]),
        .library(name: "PouchEntities", targets: ["PouchEntities"]),
        .library(name: "PouchFeed", targets: ["PouchFeed"]),
        .library(name: "PouchContract", targets: ["PouchContract"]),
        .library(name: "PouchOpenAPI", targets: ["PouchOpenAPI"]),
        .library(name: "PouchVersion", targets: ["PouchVersion"]),
    ],
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

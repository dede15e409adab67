// swift-tools-version: 6.2
import PackageDescription

// What somebody's own program looks like: it links PouchClient, and nothing else comes along.
let package = Package(
    name: "Linking",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../../Client")],
    targets: [
        .executableTarget(
            name: "buy",
            dependencies: [.product(name: "PouchClient", package: "Client")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)

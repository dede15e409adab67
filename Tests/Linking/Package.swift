// swift-tools-version: 6.2
import PackageDescription

// A program outside this repository: it links PouchClient, and fetches nothing from third parties.
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

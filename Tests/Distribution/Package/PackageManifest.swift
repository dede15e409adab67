import Foundation

/// A manifest as `swift package dump-package` prints it, as far as a distribution needs it.
struct PackageManifest: Decodable {
    let platforms: [Platform]
    let products: [Product]
    let targets: [Target]
    let dependencies: [Dependency]
    let toolsVersion: ToolsVersion

    struct ToolsVersion: Decodable { let _version: String }

    struct Platform: Decodable, Equatable {
        let platformName: String
        let version: String
    }

    struct Product: Decodable {
        let name: String
        let targets: [String]
        let type: [String: [String]?]

        var isLibrary: Bool { type.keys.contains("library") }
    }

    struct Target: Decodable {
        let name: String
        let type: String
        let path: String?
        let dependencies: [TargetDependency]
        let resources: [Resource]
        let exclude: [String]
        let settings: [Setting]
        let sources: [String]?
        let pluginUsages: [Anything]?
    }

    struct Resource: Decodable {
        let path: String
        /// By `copy`, `process` or `embedInCode`.
        let rule: [String: Anything]
    }

    struct Anything: Decodable {}

    /// A condition of a dependency or a setting.
    struct Condition: Decodable {
        let traits: [String]?
        let platformNames: [String]?
    }

    /// Reads manifests with SwiftPM.
    static func read(_ package: URL) throws -> PackageManifest {
        let output = try Command.output(["swift", "package", "--package-path", package.path, "dump-package"])
        return try decode(Data(output.utf8))
    }

    static func decode(_ data: Data) throws -> PackageManifest {
        try JSONDecoder().decode(PackageManifest.self, from: data)
    }
}

// MARK: - Dependencies

/// A dependency of a target on another target, or on a product of another package.
struct TargetDependency: Decodable {
    let name: String
    /// The package of a product; nil for a target or product that is named alone.
    let package: String?
    /// The traits of which one must be on; empty for a dependency without such a condition.
    let traits: [String]
    /// The platforms where it is used; empty for all.
    let platforms: [String]

    private enum Kind: String, CodingKey { case byName, target, product }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first else {
            throw DistributionError("A target has a kind of dependency that a distribution cannot have.")
        }
        var list = try container.nestedUnkeyedContainer(forKey: kind)
        name = try list.decode(String.self)
        package = kind == .product ? try list.decodeIfPresent(String.self) : nil
        if kind == .product, try !list.decodeNil() { throw DistributionError("\(name) is used under an alias.") }
        let condition = try list.decodeIfPresent(PackageManifest.Condition.self)
        (traits, platforms) = (condition?.traits ?? [], condition?.platformNames ?? [])
    }
}

extension PackageManifest {
    /// A package that this one depends on.
    struct Dependency: Decodable {
        /// nil for a package in a folder.
        let remote: Remote?

        struct Remote {
            let identity: String
            let url: String
            /// From the lower version up to, not including, the upper one.
            let lower: String
            let upper: String
        }

        private struct SourceControl: Decodable {
            let identity: String
            /// Each a list, of which a package that is used by URL and version has one element.
            let location: [String: [[String: String]]]
            let requirement: [String: [[String: String]]]
        }

        private enum Kind: String, CodingKey { case sourceControl }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Kind.self)
            let found = try container.decodeIfPresent([SourceControl].self, forKey: .sourceControl)?.first
            remote = try found.map { found in
                let range = found.requirement["range"]?.first
                guard let url = found.location["remote"]?.first?["urlString"], let lower = range?["lowerBound"],
                    let upper = range?["upperBound"]
                else { throw DistributionError("\(found.identity) is not used by URL and version.") }
                return Remote(identity: found.identity, url: url, lower: lower, upper: upper)
            }
        }
    }
}

// MARK: - Settings

extension PackageManifest {
    /// A setting of a target, such as `.enableUpcomingFeature("ExistentialAny")`.
    struct Setting: Decodable, Equatable {
        /// `swift`, `c` or `linker`.
        let tool: String
        /// The setting as it is written in a manifest.
        let text: String

        init(tool: String, text: String) { (self.tool, self.text) = (tool, text) }
        private enum Key: String, CodingKey { case kind, tool, condition }
        private struct Value: Decodable { let _0: String? }

        /// - Throws: for a setting that cannot be repeated in another manifest, so that none is lost without a notice.
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            tool = try container.decode(String.self, forKey: .tool)
            let kind = try? container.decode([String: Value].self, forKey: .kind).first
            let condition = try container.decodeIfPresent(Condition.self, forKey: .condition)
            guard let kind, condition?.traits?.isEmpty ?? true else {
                throw DistributionError("A target has a setting that a distribution cannot have.")
            }
            let platforms = try (condition?.platformNames ?? []).map(Platform.text)
            let suffix = platforms.isEmpty ? "" : ", .when(platforms: [\(platforms.joined(separator: ", "))])"
            switch (tool, kind.key, kind.value._0) {
            case ("swift", "swiftLanguageMode", let mode?): text = ".swiftLanguageMode(.v\(mode)\(suffix))"
            case ("swift", "defaultIsolation", "MainActor"): text = ".defaultIsolation(MainActor.self\(suffix))"
            case ("swift", "enableUpcomingFeature", let name?), ("swift", "enableExperimentalFeature", let name?),
                ("swift", "define", let name?), ("c", "define", let name?), ("linker", "linkedLibrary", let name?),
                ("linker", "linkedFramework", let name?):
                text = ".\(kind.key)(\"\(name)\"\(suffix))"
            default: throw DistributionError("A distribution cannot have the setting \(kind.key).")
            }
        }
    }
}

extension PackageManifest.Platform {
    /// The platform as it is written in a manifest.
    static func text(_ name: String) throws -> String {
        let names = [
            "macos": "macOS", "ios": "iOS", "tvos": "tvOS", "watchos": "watchOS", "visionos": "visionOS",
            "linux": "linux", "android": "android", "windows": "windows",
        ]
        guard let known = names[name] else { throw DistributionError("The platform \(name) is unknown.") }
        return "." + known
    }
}

/// The text of a Package.swift.
struct ManifestText {
    private let package: FlatPackage
    /// The settings that all targets share.
    private let common: [PackageManifest.Setting]

    init(_ package: FlatPackage) {
        self.package = package
        let first = package.targets.first?.settings.filter { $0.tool == "swift" } ?? []
        common = first.filter { setting in package.targets.allSatisfy { $0.settings.contains(setting) } }
    }

    func text() throws -> String {
        var lines = [
            "// swift-tools-version: \(package.toolsVersion)",
            "// Written by `make sdk-package` in Pouch's repository.", "import PackageDescription", "",
        ]
        lines += ["let settings: [SwiftSetting] = ["] + common.map { "    \($0.text)," } + ["]", ""]
        lines += ["let package = Package(", "    name: \"\(package.name)\","]
        lines += ["    platforms: [\(try package.platforms.map(text).joined(separator: ", "))],"]
        lines += list(
            "products", package.products.map { [".library(name: \"\($0.name)\", targets: \(strings($0.targets)))"] })
        if !package.dependencies.isEmpty { lines += list("dependencies", package.dependencies.map { [text($0)] }) }
        lines += list("targets", try package.targets.map(text))
        lines[lines.count - 1].removeLast()
        lines += [")", ""]
        return lines.joined(separator: "\n")
    }

    private func list(_ name: String, _ items: [[String]]) -> [String] {
        var lines = ["    \(name): ["]
        for item in items {
            lines += item.map { "        " + $0 }
            lines[lines.count - 1] += ","
        }
        return lines + ["    ],"]
    }

    private func text(_ target: FlatPackage.Target) throws -> [String] {
        var arguments = ["    name: \"\(target.name)\""]
        if !target.dependencies.isEmpty {
            let names = try target.dependencies.map { "        \(try text($0))," }
            arguments.append((["    dependencies: ["] + names + ["    ]"]).joined(separator: "\n        "))
        }
        if !target.exclude.isEmpty { arguments.append("    exclude: \(strings(target.exclude))") }
        if !target.resources.isEmpty {
            let resources = try target.resources.map { resource in
                guard let rule = resource.rule.keys.first, ["copy", "process", "embedInCode"].contains(rule) else {
                    throw DistributionError("\(resource.path) is a resource of an unknown kind.")
                }
                return ".\(rule)(\"\(resource.path)\")"
            }
            arguments.append("    resources: [\(resources.joined(separator: ", "))]")
        }
        func settings(_ tool: String) -> String {
            let own = target.settings.filter { $0.tool == tool && !common.contains($0) }.map(\.text)
            return own.isEmpty ? "" : "[\(own.joined(separator: ", "))]"
        }
        let own = settings("swift")
        for (argument, settings) in [
            ("cSettings", settings("c")), ("swiftSettings", own.isEmpty ? "settings" : "settings + " + own),
            ("linkerSettings", settings("linker")),
        ] where !settings.isEmpty {
            arguments.append("    \(argument): \(settings)")
        }
        return [".target("] + arguments.dropLast().map { $0 + "," } + [arguments[arguments.count - 1] + ")"]
    }

    private func text(_ platform: PackageManifest.Platform) throws -> String {
        "\(try PackageManifest.Platform.text(platform.platformName))(\"\(platform.version)\")"
    }

    private func text(_ dependency: FlatPackage.Dependency) throws -> String {
        let platforms = try dependency.platforms.map(PackageManifest.Platform.text).joined(separator: ", ")
        let condition = platforms.isEmpty ? "" : ", condition: .when(platforms: [\(platforms)])"
        guard let package = dependency.package else {
            return condition.isEmpty ? "\"\(dependency.name)\"" : ".target(name: \"\(dependency.name)\"\(condition))"
        }
        return ".product(name: \"\(dependency.name)\", package: \"\(package)\"\(condition))"
    }

    private func text(_ dependency: PackageManifest.Dependency.Remote) -> String {
        let next = Version(dependency.lower).map { "\($0.major + 1).0.0" }
        let range = "\"\(dependency.lower)\"..<\"\(dependency.upper)\""
        let requirement = dependency.upper == next ? "from: \"\(dependency.lower)\"" : range
        return ".package(url: \"\(dependency.url)\", \(requirement))"
    }

    private func strings(_ values: [String]) -> String {
        "[" + values.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
}

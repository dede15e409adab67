import PackagePlugin

/// Makes the text files of a target part of its program: `EmbeddedText.files` has each by its name.
@main
struct EmbedText: BuildToolPlugin {
    /// The kinds of files; all other files of the target stay what they are.
    private static let extensions: Set<String> = ["mustache", "txt", "html", "css", "js", "json", "svg"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let files = module.sourceFiles.map(\.url).filter { Self.extensions.contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedText.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) text files in \(module.name)",
                executable: try context.tool(named: "embed-text").url,
                arguments: [output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }
}

/// How the choices that make a variant are shown.
public enum OptionsText {
    /// The values, in the order of the options' names.
    public static func values(_ options: [String: String]) -> String {
        options.sorted { $0.key < $1.key }.map(\.value).joined(separator: " / ")
    }

    /// The name of what was chosen, where there was a choice.
    public static func name(_ name: String, _ options: [String: String]) -> String {
        options.isEmpty ? name : "\(name), \(values(options))"
    }
}

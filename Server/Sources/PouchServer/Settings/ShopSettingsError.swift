/// What is wrong with a settings file, for whoever wrote it.
public struct ShopSettingsError: Error, Equatable, CustomStringConvertible {
    /// The first line is 1; nil where the parser tells none.
    public let line: Int?
    /// One sentence that names the key and what is allowed.
    public let detail: String

    public var description: String { line.map { "line \($0): \(detail)" } ?? detail }
}

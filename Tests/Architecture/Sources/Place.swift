/// Where something was found.
struct Place: Hashable, CustomStringConvertible {
    let module: String
    let path: String
    let line: Int
    let what: String

    var description: String { "\(module)/\(path):\(line): \(what)" }
}

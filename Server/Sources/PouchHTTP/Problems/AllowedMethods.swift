import PouchWire

/// What the contract allows on a path that knows other methods.
enum AllowedMethods {
    /// - Returns: the value of `Allow`; nil for a path that is not in the contract, or that knows the method.
    static func of(_ path: String, insteadOf method: String) -> String? {
        let verbs = Endpoint.at(path).map(\.method)
        let names = verbs.map(\.rawValue) + (verbs.contains(.get) ? ["HEAD"] : [])
        guard !names.isEmpty, !names.contains(method) else { return nil }
        return names.sorted().joined(separator: ", ")
    }
}

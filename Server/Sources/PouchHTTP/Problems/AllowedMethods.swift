import PouchWire

/// What the contract allows on a path that knows other methods.
enum AllowedMethods {
    /// - Returns: the value of `Allow`; nil for a path that is not in the contract, or that knows the method.
    static func of(_ path: String, insteadOf method: String) -> String? {
        let pieces = path.split(separator: "/")
        let verbs = Endpoint.all.filter { matches($0.template.segments[...], pieces[...]) }.map(\.method)
        let names = verbs.map(\.rawValue) + (verbs.contains(.get) ? ["HEAD"] : [])
        guard !names.isEmpty, !names.contains(method) else { return nil }
        return names.sorted().joined(separator: ", ")
    }

    private static func matches(_ segments: ArraySlice<PathTemplate.Segment>, _ pieces: ArraySlice<Substring>) -> Bool {
        guard let segment = segments.first else { return pieces.isEmpty }
        guard let piece = pieces.first else { return false }
        switch segment {
        case .rest: return true
        case .literal(let text) where text != piece: return false
        case .literal, .parameter: return matches(segments.dropFirst(), pieces.dropFirst())
        }
    }
}

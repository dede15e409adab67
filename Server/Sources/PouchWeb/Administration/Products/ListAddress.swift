import PouchWire

/// The address of a list with the parameters that select its items, also in the query of a form that is sent from it.
struct ListAddress: Sendable {
    let path: String
    /// Those of the page that have a value.
    let parameters: [QueryString.Item]

    /// - Parameter names: the parameters of the list; all others of the visit's query are left out.
    init(_ path: String, _ names: [String], of visit: Visit) {
        self.path = path
        parameters = names.compactMap { name in visit.query(name).map { QueryString.Item(name: name, value: $0) } }
    }

    var query: QueryString { QueryString(parameters) }
    var url: String { url([:]) }

    /// - Parameters:
    ///   - changes: other values of parameters; nil takes one away.
    ///   - path: of a form that shows the list again.
    func url(_ changes: [String: String?], of path: String? = nil) -> String {
        let kept = parameters.filter { changes[$0.name] == nil }.map { (name: $0.name, value: Optional($0.value)) }
        let changed = changes.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        return PagePath.adding(kept + changed, to: path ?? self.path)
    }
}

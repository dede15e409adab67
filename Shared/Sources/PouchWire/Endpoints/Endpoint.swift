/// One operation of the HTTP contract: a method, a path and who may call it.
///
/// Every endpoint stands in `Endpoint.all`; the server registers its routes from there, and clients build their
/// paths from there, so that a path is spelled once.
public struct Endpoint: Hashable, Sendable {
    /// Unique among all endpoints; the operation's name in logs.
    public let name: String
    public let method: HTTPVerb
    public let template: PathTemplate
    public let access: Access

    init(_ name: String, _ method: HTTPVerb, _ template: String, _ access: Access) {
        self.name = name
        self.method = method
        self.template = PathTemplate(template)
        self.access = access
    }

    /// All endpoints of the contract.
    public static let all: [Endpoint] =
        system + account + catalog + carts + ordering + riding + imports + administration

    /// The endpoints to which a path leads, one for each method: where several templates match, those of the one with
    /// the fewest parameters, as a router has it.
    public static func at(_ path: some StringProtocol) -> [Endpoint] {
        func parameters(_ endpoint: Endpoint) -> Int {
            endpoint.template.segments.count { if case .literal = $0 { false } else { true } }
        }
        let found = all.filter { $0.template.matches(path) }
        let fewest = found.map(parameters).min()
        return found.filter { parameters($0) == fewest }
    }
}

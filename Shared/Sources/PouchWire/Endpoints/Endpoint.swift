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
    public static let all: [Endpoint] = system + account + catalog + carts + ordering + imports + administration
}

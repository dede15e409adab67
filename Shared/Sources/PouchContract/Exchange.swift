import PouchWire

/// An endpoint with the types of its request body and of its good answer.
///
/// `NoBody` and `NoContent` stand where there is none.
public struct Exchange<Body, Answer>: Sendable {
    public let endpoint: Endpoint
    /// The status of a good answer.
    public let status: Int

    init(_ endpoint: Endpoint, status: Int = 200) {
        self.endpoint = endpoint
        self.status = status
    }
}

/// The request has no body.
public enum NoBody: Sendable {}

/// The request's body is a feed, in the format that the query names; it is streamed.
public enum FeedBody: Sendable {}

/// The good answer is 204, without a body.
public enum NoContent: Sendable {}

/// An exchange without its types, for lists of all.
public protocol AnyExchange: Sendable {
    var endpoint: Endpoint { get }
    var status: Int { get }
}

extension Exchange: AnyExchange {}

/// All exchanges of the contract.
public enum Contract {
    /// One for every endpoint that speaks JSON, so for all but health and assets.
    public static let all: [any AnyExchange] = account + catalog + carts + ordering + imports + administration
}

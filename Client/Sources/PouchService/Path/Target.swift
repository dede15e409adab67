import Foundation
import PouchWire

/// A path taken apart into what a request is made of.
struct Target {
    /// A file that is the body.
    struct Upload {
        let file: URL
        let mediaType: String
    }

    let endpoint: Endpoint
    let parameters: [String: String]
    let query: QueryString
    let body: Data?
    let upload: Upload?

    init(
        _ endpoint: Endpoint, _ parameters: [String: String] = [:], query: QueryString = .init(), body: Data? = nil,
        upload: Upload? = nil
    ) {
        self.endpoint = endpoint
        self.parameters = parameters
        self.query = query
        self.body = body
        self.upload = upload
    }

    /// A list, of which `limit` and `cursor` choose a page.
    init(_ endpoint: Endpoint, filter: (name: String, value: String?)? = nil, limit: Int?, cursor: String?) {
        var query = QueryString()
        if let filter { query.append(filter.name, filter.value) }
        query.append(limit: limit, cursor: cursor)
        self.init(endpoint, query: query)
    }

    /// Path and query, both percent-encoded.
    var reference: String {
        let path = endpoint.template.path(parameters)
        return query.items.isEmpty ? path : path + "?" + query.encoded
    }
}

extension QueryString {
    /// Degrees.
    mutating func append(latitude: Double?, longitude: Double?) {
        append("latitude", latitude.map { String($0) })
        append("longitude", longitude.map { String($0) })
    }

    mutating func append(limit: Int?, cursor: String?) {
        append("limit", limit.map(String.init))
        append("cursor", cursor)
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import PouchContract
import PouchDomain
import PouchWire

/// A request whose body was read and whose sender is known.
struct Call<Body: Sendable>: Sendable {
    let body: Body
    let request: Request
    let context: PouchRequestContext

    /// A parameter of the path, percent-decoded.
    ///
    /// - Throws: `RequestProblem` when an escape is broken.
    func parameter(_ name: String) throws -> String {
        guard let text = context.parameters.get(name)?.removingPercentEncoding, !text.utf8.contains(0) else {
            throw RequestProblem(.invalidRequest, "The path cannot be percent-decoded.")
        }
        return text
    }

    /// - Throws: `RequestProblem` when an escape is broken, `QueryProblem`.
    func query<Query: QueryDecodable>(_ type: Query.Type) throws -> Query {
        guard let query = QueryString(parsing: request.uri.query ?? "") else {
            throw RequestProblem(.invalidQuery, "The query cannot be percent-decoded.")
        }
        return try Query(query)
    }

    /// The version of `If-Match`; nil without the header or with `*`.
    ///
    /// - Throws: `RequestProblem` when it is not an ETag that this server gives for a version.
    func ifMatch() throws -> Int? {
        guard let value = request.headers[.ifMatch], value != "*" else { return nil }
        guard value.count > 2, value.hasPrefix("\""), value.hasSuffix("\""),
            let version = Int(value.dropFirst().dropLast())
        else {
            throw RequestProblem(.invalidHeader, "If-Match must be an ETag that this server gave.")
        }
        return version
    }

    var prefersMinimal: Bool {
        request.headers[values: .prefer].contains {
            $0.split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == "return=minimal" }
        }
    }
}

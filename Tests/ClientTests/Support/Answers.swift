import Foundation
import PouchContract
import PouchNetwork
import PouchWire

extension NetworkResponse {
    static func json(_ value: some Encodable, status: Int = 200, headers: HeaderFields = [:]) -> NetworkResponse {
        var headers = headers
        headers["Content-Type"] = "application/json"
        return NetworkResponse(status: status, headers: headers, data: (try? WireJSON.encode(value)) ?? Data())
    }

    static func text(_ text: String, status: Int = 200, type: String = "application/json") -> NetworkResponse {
        NetworkResponse(
            status: status, headers: ["Content-Type": type, "Request-Id": "req-text"], data: Data(text.utf8))
    }

    static func problem(_ code: ProblemCode, _ details: (Problem) -> ProblemDetails = { ProblemDetails($0) })
        -> NetworkResponse
    {
        let problem = Problem(code, detail: "what happened", requestId: "req-1")
        return .json(details(problem), status: problem.status, headers: ["Request-Id": "req-1"])
    }
}

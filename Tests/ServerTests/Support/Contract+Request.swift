import PouchContract
import PouchWire

extension Contract {
    /// What a request is for; nil when the contract has nothing of the kind.
    static func exchange(_ method: String, _ uri: String) -> (any AnyExchange)? {
        let verb = method == "HEAD" ? "GET" : method
        let endpoint = Endpoint.at(uri.prefix { $0 != "?" }).first { $0.method.rawValue == verb }
        return all.first { $0.endpoint == endpoint }
    }
}

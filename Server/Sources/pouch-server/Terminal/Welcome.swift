import Foundation

/// What is printed once the server takes requests.
struct Welcome {
    let scheme: String
    let host: String
    let client: String

    /// Stands beside the client.
    private var koober: String {
        let folder = client.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return (folder + ["koober"]).joined(separator: "/")
    }

    func text(port: Int) -> String {
        let address = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        let server = address == "http://127.0.0.1:8080" ? "" : " --server \(address)"
        return """
            Pouch serves \(address) (Ctrl-C ends it).

            Try next, in a second terminal:
              \(client) promotions\(server)
              \(client) catalog --search cardigan\(server)
              \(client) cart\(server)
              \(koober)\(server)

            """
    }
}

import ArgumentParser
import Foundation
import PouchDomain
import PouchHTTP
import PouchServer

/// The options for access to the server: networks, proxies, origins and limits.
struct AccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The proxies in front of the server: addresses or ranges, separated by commas.",
            discussion: """
                The server takes the client's address from X-Forwarded-For, and counts its requests and failed \
                sign-ins. Without this option, all clients behind a proxy count as one. List only your proxies: a \
                client at one of these addresses can claim any address.
                """, valueName: "10.0.0.5,::1"))
    var trustedProxies: String?

    @Option(
        help: ArgumentHelp(
            "Origins whose pages may call the API from a browser, separated by commas. Default: none.",
            valueName: "https://shop.example.com"))
    var allowOrigin: String?

    @Option(
        help: ArgumentHelp(
            "Maximum requests per second from one network; 0 for no limit. Default: no limit.",
            discussion:
                "Bursts may be ten times as large. Each server counts separately. Health checks are not counted.",
            valueName: "n"))
    var rateLimit: Double?

    @Option(
        help: ArgumentHelp(
            "Maximum sign-ups, sign-ins and new guests per second from one network; 0 for no limit. Default: 10.",
            discussion: """
                Bursts may be 200 times as large. Each server counts separately. The same limit applies to buyers' \
                requests with an Idempotency-Key, because the server stores the key.
                """, valueName: "n"))
    var newSessions: Double?

    @Option(
        help: ArgumentHelp(
            "Maximum declined payments from one network in 15 minutes; 0 for no limit. Default: 30.",
            discussion: "Each buyer and card may have ten. All servers of the shop count together.", valueName: "n"))
    var declinedPayments: Int?

    @Option(
        help: ArgumentHelp(
            "Maximum open connections; one network may use an eighth of them. Default: 8192.",
            discussion: "The number is lower if the system allows fewer open files.", valueName: "n"))
    var connections: Int?

    @Flag(help: "Allow passwords and keys to be sent to other machines over HTTP without TLS.")
    var plainHTTP = false

    /// Completes a configuration whose address, TLS and payments are already set.
    func apply(_ settings: Settings, to configuration: inout ServerConfiguration) throws {
        var policy = RequestPolicy()
        let proxies = try settings.list("trustedProxies").map { text in
            guard let range = NetworkRange(text) else {
                throw ValidationError("--trusted-proxies: “\(text)” is not an address or a range such as 10.0.0.0/8.")
            }
            return range
        }
        policy.trustedProxies = TrustedProxies(proxies)
        policy.allowedOrigins = Set(try settings.list("allowOrigin").map(Self.origin))
        policy.requests = try rate("rateLimit", option: "--rate-limit", burst: 10, settings)
        if try settings.number("newSessions") != nil {
            policy.newSessions = try rate("newSessions", option: "--new-sessions", burst: 200, settings)
        }
        policy.declinedPayments =
            try settings.integer("declinedPayments", in: 0...1_000_000) ?? policy.declinedPayments
        configuration.policy = policy
        configuration.connections = try settings.integer("connections", in: 16...1_000_000) ?? configuration.connections
        try checkEncryption(of: configuration, hasProxy: !proxies.isEmpty, settings)
    }

    /// Refuses settings that would send passwords, tokens or the provider's key over a network unencrypted.
    private func checkEncryption(of configuration: ServerConfiguration, hasProxy: Bool, _ settings: Settings) throws {
        guard try settings.flag("plainHTTP") != true else { return }
        if configuration.tls == nil, !hasProxy, !NetworkAddress.isOfThisMachine(configuration.host) {
            throw ValidationError(
                """
                --host \(configuration.host) would send passwords unencrypted. Use --tls-certificate and \
                --tls-key, name the proxy that encrypts with --trusted-proxies, or allow it with --plain-http.
                """)
        }
        if case .service(let address, _) = configuration.payments, !address.isEncrypted,
            !NetworkAddress.isOfThisMachine(address.host)
        {
            throw ValidationError(
                "--payments would send its key unencrypted. Use an https address, or allow it with --plain-http.")
        }
    }

    private static func origin(_ text: String) throws -> String {
        // Browsers send the origin in lower case, without the scheme's default port.
        let ports = ["http": 80, "https": 443]
        guard let url = URL(string: text), let scheme = url.scheme, let standard = ports[scheme], let host = url.host(),
            text == "\(scheme)://\(host.lowercased())" + (url.port.map { ":\($0)" } ?? ""), url.port != standard
        else {
            throw ValidationError(
                "--allow-origin: “\(text)” is not an origin. Use a scheme and host, such as https://shop.example.com.")
        }
        return text
    }

    private func rate(_ key: String, option: String, burst: Double, _ settings: Settings) throws -> RequestRate? {
        guard let perSecond = try settings.number(key), perSecond != 0 else { return nil }
        guard (0.1...1_000_000).contains(perSecond) else {
            throw ValidationError("\(option) must be from 0.1 to 1000000, or 0 for no limit.")
        }
        return .init(perSecond: perSecond, burst: perSecond * burst)
    }
}

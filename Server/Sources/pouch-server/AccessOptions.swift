import ArgumentParser
import Configuration
import Foundation
import PouchDomain
import PouchHTTP
import PouchServer

/// The options that say who may reach the server, through which proxies, and how often.
struct AccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The proxies in front of the server: addresses and ranges, separated by commas.",
            discussion: """
                Their X-Forwarded-For names the client whose failed sign-ins and requests are counted. Without it all \
                clients of a proxy count as one. Name only the proxies: a client at one of these addresses can claim \
                any address.
                """, valueName: "10.0.0.5,::1"))
    var trustedProxies: String?

    @Option(
        help: ArgumentHelp(
            "Web pages that may call the API from a browser: origins separated by commas. Default: none.",
            valueName: "https://shop.example.com"))
    var allowOrigin: String?

    @Option(
        help: ArgumentHelp(
            "The limit of requests of one network in a second; 0 for no limit. Default: none.",
            discussion:
                "Ten times as many in a burst. Each server counts for itself. Health checks are not counted.",
            valueName: "n"))
    var rateLimit: Double?

    @Option(
        help: ArgumentHelp(
            "The limit of sign-ups, sign-ins and new guests of one network in a second; 0 for no limit. Default: 10.",
            discussion: """
                200 times as many in a burst. Each server counts for itself. Requests of buyers with an Idempotency-Key, \
                which is stored, have the same limit.
                """, valueName: "n"))
    var newSessions: Double?

    @Option(
        help: ArgumentHelp(
            "The limit of declined payments of one network in 15 minutes; 0 for no limit. Default: 30.",
            discussion: "A buyer and a card may have ten. All servers of the shop count together.", valueName: "n"))
    var declinedPayments: Int?

    @Option(
        help: ArgumentHelp(
            "The limit of open connections, an eighth of them for one network. Default: 8192.",
            discussion: "Fewer where the system allows fewer open files.", valueName: "n"))
    var connections: Int?

    @Flag(help: "Allow passwords and keys to travel over HTTP without TLS beyond this machine.")
    var plainHTTP = false

    var values: [String: ConfigValue?] {
        [
            "trustedProxies": trustedProxies.map(ConfigValue.text),
            "allowOrigin": allowOrigin.map(ConfigValue.text),
            "rateLimit": rateLimit.map(ConfigValue.number),
            "newSessions": newSessions.map(ConfigValue.number),
            "declinedPayments": declinedPayments.map(ConfigValue.integer),
            "connections": connections.map(ConfigValue.integer),
            "plainHTTP": plainHTTP ? .flag(true) : nil,
        ]
    }

    /// Completes a configuration that has its address, TLS and payments.
    func apply(_ settings: Settings, to configuration: inout ServerConfiguration) throws {
        var policy = RequestPolicy()
        let proxies = try list("trustedProxies", settings) { text in
            guard let range = NetworkRange(text) else {
                throw ValidationError("--trusted-proxies: “\(text)” is no address or range such as 10.0.0.0/8.")
            }
            return range
        }
        policy.trustedProxies = TrustedProxies(proxies)
        policy.allowedOrigins = Set(try list("allowOrigin", settings, Self.origin))
        policy.requests = try rate("rateLimit", option: "--rate-limit", burst: 10, settings)
        if try settings.number("newSessions") != nil {
            policy.newSessions = try rate("newSessions", option: "--new-sessions", burst: 200, settings)
        }
        policy.declinedPayments = try settings.integer("declinedPayments") ?? policy.declinedPayments
        guard (0...1_000_000).contains(policy.declinedPayments) else {
            throw ValidationError("--declined-payments must be from 0 to 1000000.")
        }
        configuration.policy = policy
        configuration.connections = try settings.integer("connections") ?? configuration.connections
        guard (16...1_000_000).contains(configuration.connections) else {
            throw ValidationError("--connections must be from 16 to 1000000.")
        }
        try checkEncryption(of: configuration, hasProxy: !proxies.isEmpty, settings)
    }

    /// Passwords, tokens and the provider's key must not cross a network unencrypted by accident.
    private func checkEncryption(of configuration: ServerConfiguration, hasProxy: Bool, _ settings: Settings) throws {
        guard try settings.flag("plainHTTP") != true else { return }
        if configuration.tls == nil, !hasProxy, !isOfThisMachine(configuration.host) {
            throw ValidationError(
                """
                --host \(configuration.host) would let passwords travel unencrypted. Use --tls-certificate and \
                --tls-key, name the proxy that encrypts with --trusted-proxies, or allow it with --plain-http.
                """)
        }
        if case .service(let address, _) = configuration.payments, !address.isEncrypted, !isOfThisMachine(address.host)
        {
            throw ValidationError(
                "--payments would send its key unencrypted. Use an https address, or allow it with --plain-http.")
        }
    }

    private static func origin(_ text: String) throws -> String {
        // Browsers send it in lower case and without the scheme's own port.
        let ports = ["http": 80, "https": 443]
        guard let url = URL(string: text), let scheme = url.scheme, let standard = ports[scheme], let host = url.host(),
            text == "\(scheme)://\(host.lowercased())" + (url.port.map { ":\($0)" } ?? ""), url.port != standard
        else {
            throw ValidationError(
                "--allow-origin: “\(text)” is no origin. Use a scheme and a host, such as https://shop.example.com.")
        }
        return text
    }

    private func list<Item>(
        _ key: String, _ settings: Settings, _ item: (String) throws -> Item
    ) throws -> [Item] {
        let texts = (settings.text(key) ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return try texts.filter { !$0.isEmpty }.map(item)
    }

    private func rate(
        _ key: String, option: String, burst: Double, _ settings: Settings
    ) throws -> RequestRate? {
        guard let perSecond = try settings.number(key), perSecond != 0 else { return nil }
        guard (0.1...1_000_000).contains(perSecond) else {
            throw ValidationError("\(option) must be from 0.1 to 1000000, or 0 for no limit.")
        }
        return .init(perSecond: perSecond, burst: perSecond * burst)
    }
}

/// Whether only programs of this machine reach the host.
func isOfThisMachine(_ host: String) -> Bool {
    let name = host.trimmingCharacters(in: ["[", "]"])
    return name.lowercased() == "localhost" || NetworkAddress(name)?.isLoopback == true
}

import ArgumentParser
import Configuration
import Foundation
import Hummingbird
import Logging
import PouchDomain
import PouchServer
import ServiceLifecycle
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the shop over HTTP.",
        discussion: """
            Ends on SIGTERM and SIGINT with exit code 0, after the requests that it has accepted; those that take more than \
            30 s then are broken off. Writes a line for each request to standard error.
            """)

    @OptionGroup var options: SharedOptions

    @Option(help: ArgumentHelp("The address to listen on. Default: 127.0.0.1.", valueName: "address"))
    var host: String?

    @Option(help: "The port to listen on; 0 lets the system choose. Default: 8080.")
    var port: Int?

    @Flag(help: "Refuse to start when the schema is not up to date, in place of migrating it.")
    var noMigrate = false

    @Option(help: ArgumentHelp("A PEM file with the certificate chain; serves HTTPS.", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("A PEM file with the certificate's private key.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "The payment provider, as in http://127.0.0.1:8081.",
            discussion: "Default: the sandbox, inside this process, with its ledger beside the database.",
            valueName: "url"))
    var payments: String?

    @Option(
        help: ArgumentHelp(
            "A file with the secret that the payment provider asks for.",
            discussion: "The environment variable POUCH_PAYMENTS_KEY may hold the secret itself.", valueName: "file"))
    var paymentsKeyFile: String?

    @Option(
        help: ArgumentHelp(
            "How many times faster than in life kangaroos hop, 1 to 100000. Default: 1.",
            discussion: "Several servers on one database need the same.", valueName: "n"))
    var citySpeed: Double?

    @Option(
        help: ArgumentHelp(
            "How many kangaroos of each kind live in the city at least, 0 to 10000. Default: 30.", valueName: "n"))
    var kangaroos: Int?

    @Option(help: "trace, debug, info, notice, warning or error. Default: info.")
    var logLevel: String?

    @Option(
        help: ArgumentHelp("How the commands that are suggested at the start call the client.", valueName: "command"))
    var client: String?

    func run() async throws {
        let settings = try await options.settings([
            "host": host.map(ConfigValue.text),
            "port": port.map(ConfigValue.integer),
            "noMigrate": noMigrate ? .flag(true) : nil,
            "tlsCertificate": tlsCertificate.map(ConfigValue.text),
            "tlsKey": tlsKey.map(ConfigValue.text),
            "payments": payments.map(ConfigValue.text),
            "paymentsKeyFile": paymentsKeyFile.map(ConfigValue.text),
            "citySpeed": citySpeed.map(ConfigValue.number),
            "kangaroos": kangaroos.map(ConfigValue.integer),
            "logLevel": logLevel.map(ConfigValue.text),
            "client": client.map(ConfigValue.text),
        ])
        let configuration = try configuration(settings)
        let logger = try settings.logger()
        let shop = try await opened { try await ShopApplication(configuration) }
        try await listening(on: configuration.host, configuration.port) {
            var services = ServiceGroupConfiguration(
                services: [try shop.application(logger: logger)], gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger)
            services.maximumGracefulShutdownDuration = .seconds(30)
            do { try await ServiceGroup(configuration: services).run() } catch is CancellationError {
                logger.warning("requests that took too long were broken off")
            }
        }
    }

    private func configuration(_ settings: Settings) throws -> ServerConfiguration {
        var configuration = try options.configuration(settings)
        configuration.host = settings.text("host") ?? configuration.host
        configuration.port = try settings.port(configuration.port)
        configuration.payments = try payments(settings)
        configuration.city = try city(settings)
        configuration.migrates = try settings.flag("noMigrate") != true
        switch (settings.text("tlsCertificate"), settings.text("tlsKey")) {
        case (nil, nil): break
        case (let certificate?, let key?):
            for path in [certificate, key] where !FileManager.default.isReadableFile(atPath: path) {
                throw ValidationError("The file \(path) cannot be read.")
            }
            configuration.tls = .init(certificatePath: certificate, keyPath: key)
        default: throw ValidationError("--tls-certificate and --tls-key belong together.")
        }
        let welcome = Welcome(
            scheme: configuration.tls == nil ? "http" : "https", host: configuration.host,
            client: settings.text("client") ?? "pouch")
        // Written at once, also where standard output is a file or a pipe.
        configuration.onListening = { port in
            FileHandle.standardOutput.write(Data(welcome.text(port: port).utf8))
        }
        return configuration
    }

    private func city(_ settings: Settings) throws -> CitySettings {
        var city = CitySettings()
        city.speed = try settings.number("citySpeed") ?? city.speed
        guard CitySettings.speeds.contains(city.speed) else {
            throw ValidationError("--city-speed must be from 1 to 100000.")
        }
        city.kangaroosOfEachSpecies = try settings.integer("kangaroos") ?? city.kangaroosOfEachSpecies
        guard CitySettings.fleets.contains(city.kangaroosOfEachSpecies) else {
            throw ValidationError("--kangaroos must be from 0 to 10000.")
        }
        return city
    }

    private func payments(_ settings: Settings) throws -> PaymentAddress {
        guard let text = settings.text("payments") else { return .sandbox }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
        else { throw ValidationError("“\(text)” is not the address of a service, as http://127.0.0.1:8081 is.") }
        return .service(url, key: try settings.secret(inFileOf: "paymentsKeyFile") ?? settings.text("paymentsKey"))
    }
}

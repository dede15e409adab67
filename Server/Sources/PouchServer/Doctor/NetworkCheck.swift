import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PouchDomain
import PouchMail
import PouchTelemetry
import PouchWeb

/// Checks the server's certificate, its payment provider, its mail server, and its address.
struct NetworkCheck: Sendable {
    let configuration: ServerConfiguration
    /// The host name that clients use for the server.
    let name: String?

    func certificate() async -> [Finding] {
        guard let files = configuration.tls else {
            return .ok("The server has no certificate; a proxy encrypts, or only this machine can reach it.")
        }
        let certificate: CertificateWithKey
        do { certificate = try CertificateWithKey(files) } catch {
            return .problem("\(error). Correct --tls-certificate or --tls-key.")
        }
        let now = configuration.time.now
        let days = Int((certificate.expiry.timeIntervalSince(now) / 86_400).rounded(.down))
        var findings: [Finding] = []
        if certificate.start > now {
            let start = certificate.start.formatted(.iso8601)
            findings.append(.problem("The certificate is not valid before \(start). Check the clock."))
        }
        let expiry: Finding =
            switch days {
            case ..<0: .problem("The certificate has expired. Renew it and reload the server (SIGHUP).")
            case 0..<14: .warning("The certificate expires in \(days) days. Renew it and reload the server (SIGHUP).")
            default: .ok("The certificate expires in \(days) days, and its key matches.")
            }
        findings.append(expiry)
        if let name, !certificate.isFor(name) {
            findings.append(
                .problem(
                    "The certificate is for \(certificate.names.formatted()), not for \(name). Get one for this name."))
        }
        return findings
    }

    func payments() async -> [Finding] {
        guard case .service(let address, let key) = configuration.payments else {
            return .warning(
                "Payments go to the sandbox, which moves no money. To sell, set a provider with --payments.")
        }
        do {
            _ = try await HTTPPaymentProvider(at: address, key: key).ledgerId()
            return .ok("The payment provider answers.")
        } catch {
            return .problem(
                "The payment provider \(address.host) does not answer correctly. Check --payments and its key.")
        }
    }

    func mail() async -> [Finding] {
        guard let destination = configuration.mail?.destination else {
            return .warning(
                "No e-mails are sent, so customers cannot reset passwords. Set a mail server with --mail.")
        }
        do throws(DeliveryError) {
            try await destination.check()
        } catch {
            return .problem("Cannot send e-mails: \(error.reason). Check --mail and its related options.")
        }
        return switch destination {
        case .smtp(let server): .ok("The mail server \(server) accepts the connection and the login.")
        case .folder(let folder):
            .warning("E-mails go to the folder \(folder.path), not to recipients. Set a mail server with --mail.")
        }
    }

    // MARK: The address

    func address() async -> [Finding] {
        let (host, port) = (configuration.host, configuration.port)
        do {
            let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).get()
            try await listener.close()
            return .ok("\(host):\(port) is free.")
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            return [await occupant(host, port)]
        } catch let error as IOError where error.errnoCode == EACCES {
            return .problem("The system does not allow port \(port). Choose a --port above 1023.")
        } catch {
            return .problem("The server cannot listen on \(host):\(port). Check --host.")
        }
    }

    /// The program that listens on the port: a Pouch server or another program.
    private func occupant(_ host: String, _ port: Int) async -> Finding {
        var settings = HTTPClient.Configuration.toPeer
        settings.timeout = .init(connect: .seconds(3), read: .seconds(15))
        var tls = TLSConfiguration.makeClientConfiguration()
        // This check only identifies the program; `certificate` checks the certificate.
        tls.certificateVerification = .none
        settings.tlsConfiguration = tls
        let client = HTTPClient(configuration: settings)
        defer { client.shutdown { _ in } }
        let address = configuration.url(host: configuration.reachableHost, port: port) + "/health/ready"
        let answer = try? await client.execute(HTTPClientRequest(url: address), timeout: .seconds(15))
        let body = try? await answer?.body.collect(upTo: 64 << 10)
        return switch (answer?.status, body.map { String(buffer: $0) }) {
        case (.ok, let body?) where body.contains("\"ready\""): .ok("A server on \(host):\(port) is ready.")
        case (.serviceUnavailable, let body?) where body.contains("unavailable"):
            .problem("The server on \(host):\(port) does not accept changes. Check its log.")
        default: .problem("Another program listens on \(host):\(port). Stop that program, or choose another --port.")
        }
    }
}

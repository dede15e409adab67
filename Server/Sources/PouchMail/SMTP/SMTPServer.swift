import Foundation
import PouchDomain

/// The mail server that sends the shop's e-mails, and how to reach it.
///
///     let server = try SMTPServer("smtp://shop@mail.example.com:587", password: password)
public struct SMTPServer: Sendable, Equatable {
    public enum Encryption: Sendable, Equatable {
        /// TLS from the first byte (smtps), as on port 465.
        case fromTheStart
        /// STARTTLS, which every server must offer, except one on this machine.
        case startTLS
    }

    /// The time limits of the server for each step, and for an e-mail in total.
    public struct Timeouts: Sendable, Equatable {
        public var connecting = Duration.seconds(15)
        /// The limit for the greeting, and for the answer to each command.
        public var answering = Duration.seconds(60)
        /// The limit for accepting the e-mail after it was sent: a server that checks its content may be slow.
        public var taking = Duration.seconds(300)
        /// The limit for one e-mail, from the connection until it is accepted.
        public var delivering = MailSender.tryLimit

        public init() {}
    }

    /// A mistake in an address.
    public enum AddressError: Error, Equatable {
        case invalid
        /// The address contains a password, which would be visible in the list of processes.
        case containsPassword
    }

    public let host: String
    public let port: Int
    public let encryption: Encryption
    /// nil for a server that accepts e-mails without a login.
    public let user: String?
    public let password: String?
    /// A PEM file with certificates to trust instead of the system's.
    public var trustPath: String?
    public var timeouts = Timeouts()

    /// - Parameter text: `smtp://user@host:port` or `smtps://…`. An `@` in the user is written as `%40`. The port is
    ///   587 by default, and 465 with smtps.
    public init(_ text: String, password: String?) throws(AddressError) {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty, parts.path.isEmpty,
            parts.query == nil, parts.fragment == nil
        else { throw .invalid }
        guard parts.password == nil else { throw .containsPassword }
        switch parts.scheme?.lowercased() {
        case "smtp": (encryption, port) = (.startTLS, parts.port ?? 587)
        case "smtps": (encryption, port) = (.fromTheStart, parts.port ?? 465)
        default: throw .invalid
        }
        guard (1...65_535).contains(port) else { throw .invalid }
        self.host = host.trimmingCharacters(in: ["[", "]"])
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        self.password = password
    }

    /// Whether only programs on this machine can read what is sent.
    var isOfThisMachine: Bool { NetworkAddress.isOfThisMachine(host) }
}

extension SMTPServer: CustomStringConvertible {
    /// The description without the password.
    public var description: String {
        (encryption == .fromTheStart ? "smtps" : "smtp") + "://" + (user.map { "\($0)@" } ?? "") + "\(host):\(port)"
    }
}

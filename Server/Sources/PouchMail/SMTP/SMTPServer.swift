import Foundation
import PouchDomain

/// The mail server that takes the shop's mails, and how to reach it.
///
///     let server = try SMTPServer("smtp://shop@mail.example.com:587", password: password)
public struct SMTPServer: Sendable, Equatable {
    public enum Encryption: Sendable, Equatable {
        /// TLS from the first byte (smtps), as on port 465.
        case fromTheStart
        /// STARTTLS, which every server has to offer except one on this machine.
        case startTLS
    }

    /// The time that a server has for each step, and for a mail in all.
    public struct Timeouts: Sendable, Equatable {
        public var connecting = Duration.seconds(15)
        /// For the greeting, and for the answer to each command.
        public var answering = Duration.seconds(60)
        /// For taking the mail over, once it is sent: a server that checks its content may be slow.
        public var taking = Duration.seconds(300)
        /// For one mail, from the connection until it is taken.
        public var delivering = MailSender.tryLimit

        public init() {}
    }

    /// A mistake in an address.
    public enum AddressError: Error, Equatable {
        case invalid
        /// It contains a password, which would be seen in the list of processes.
        case containsPassword
    }

    public let host: String
    public let port: Int
    public let encryption: Encryption
    /// nil for a server that takes mails without a login.
    public let user: String?
    public let password: String?
    /// A PEM file with the certificates to trust instead of those of the system.
    public var trustPath: String?
    public var timeouts = Timeouts()

    /// - Parameter text: `smtp://user@host:port` or `smtps://…`. A user with an `@` is written with `%40`. The port is 587
    ///   by default, and 465 with smtps.
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

    /// Whether only programs of this machine can read what is sent.
    var isOfThisMachine: Bool { host.lowercased() == "localhost" || NetworkAddress(host)?.isLoopback == true }
}

extension SMTPServer: CustomStringConvertible {
    /// Without the password.
    public var description: String {
        (encryption == .fromTheStart ? "smtps" : "smtp") + "://" + (user.map { "\($0)@" } ?? "") + "\(host):\(port)"
    }
}

import Foundation
import NIOPosix

/// Delivers finished e-mails, or hands them to a server that does.
public protocol MailTransport: Sendable {
    /// Returns once the e-mail was accepted, within `MailSender.tryLimit`: after that, another server may send it.
    ///
    /// - Throws: `DeliveryError`. After `unavailable` the e-mail may still have been accepted.
    func deliver(_ message: MailMessage) async throws(DeliveryError)
    /// Ends a series of e-mails, and closes what was kept open for it.
    func finish() async
}

/// The reason why an e-mail was not accepted. The texts are for the operator: they contain codes of the server, but
/// never the e-mail or an address.
public enum DeliveryError: Error, Sendable, Equatable {
    /// This e-mail will never be accepted.
    case refused(String)
    /// This e-mail may be accepted later, for example by a server with greylisting.
    case deferred(String)
    /// No e-mails are accepted at the moment: the server is unreachable, or refuses the login.
    case unavailable(String)

    public var reason: String {
        switch self {
        case .refused(let reason), .deferred(let reason), .unavailable(let reason): reason
        }
    }
}

/// Writes each e-mail to a folder, as a file that mail programs open.
///
/// The file is named after the e-mail, so that writing one again changes nothing. Only the owner of the process can
/// read the files, even in a folder that others can read, since e-mails contain links that open accounts.
public struct MailFolder: MailTransport {
    private let folder: URL

    public init(_ folder: URL) {
        self.folder = folder
    }

    public func deliver(_ message: MailMessage) async throws(DeliveryError) {
        do {
            try await NIOThreadPool.singleton.runIfActive { [folder] in
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try Self.write(message.bytes(), to: folder.appending(path: message.id + ".eml").path)
            }
        } catch {
            throw .unavailable("cannot write to the mail folder: \(error.localizedDescription)")
        }
    }

    public func finish() async {}

    /// Writes a whole file, which is private before it has any content.
    private static func write(_ bytes: Data, to path: String) throws {
        let draft = path + ".draft"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: bytes)
        try file.close()
        guard rename(draft, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

import Foundation
import NIOPosix

/// Delivers finished mails, or hands them to a server that does.
public protocol MailTransport: Sendable {
    /// Returns once the mail was taken, within `MailSender.tryLimit`: later another server may send the mail.
    ///
    /// - Throws: `DeliveryError`. After `unavailable` the mail may have been taken nevertheless.
    func deliver(_ message: MailMessage) async throws(DeliveryError)
    /// Ends a series of mails: closes what was kept open for it.
    func finish() async
}

/// The reason why a mail was not taken. The texts are for the operator: codes of the server, never the mail or an
/// address.
public enum DeliveryError: Error, Sendable, Equatable {
    /// This mail will never be taken.
    case refused(String)
    /// This mail may be taken later, such as by a server with greylisting.
    case deferred(String)
    /// No mail is taken at present: the server cannot be reached, or does not accept the login.
    case unavailable(String)

    public var reason: String {
        switch self {
        case .refused(let reason), .deferred(let reason), .unavailable(let reason): reason
        }
    }
}

/// Writes each mail into a folder, as a file that mail programs open.
///
/// The file is named like the mail, so that writing one again changes nothing. Only the owner of the process can read the
/// files, also in a folder that others can read, since mails contain links that open accounts.
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
            throw .unavailable("the folder of mails cannot be written: \(error.localizedDescription)")
        }
    }

    public func finish() async {}

    /// Writes a whole file, which is private before it has any text.
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

import Foundation
import PouchEntities

/// An e-mail address, with or without a name before it.
///
///     MailAddress("The Burrow <shop@example.com>")?.address   // shop@example.com
public struct MailAddress: Sendable, Equatable {
    public let name: String?
    /// A local part without quotes and a domain, as in `ada@example.com`. A domain in another script is in its ASCII
    /// form.
    public let address: String

    /// - Returns: nil for a text that is not valid in an e-mail's header and an SMTP command.
    public init?(address: String, name: String? = nil) {
        guard let checked = EmailAddress(address) else { return nil }
        self.address = checked.address
        let name = name?.visible.trimmingCharacters(in: .whitespaces)
        self.name = name?.isEmpty == false ? name : nil
    }

    /// - Parameter text: `name <address>` or an address.
    public init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespaces)
        // Otherwise a line break would become part of the name.
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return nil }
        guard text.hasSuffix(">"), let open = text.lastIndex(of: "<") else {
            self.init(address: text)
            return
        }
        let name = text[..<open].trimmingCharacters(in: .whitespaces)
        let isQuoted = name.count >= 2 && name.hasPrefix("\"") && name.hasSuffix("\"")
        self.init(
            address: String(text[text.index(after: open)...].dropLast()),
            name: isQuoted ? String(name.dropFirst().dropLast()) : name)
    }

    /// The sender of a shop that has no name yet, for e-mails that stay on this machine.
    public static let unnamedShop = MailAddress(checked: "shop@localhost", name: "The shop")

    private init(checked address: String, name: String) { (self.address, self.name) = (address, name) }

    /// The host of the address.
    var domain: Substring { address[address.index(after: address.lastIndex(of: "@") ?? address.startIndex)...] }

    /// Whether the address can be used with a server that does not support SMTPUTF8.
    var isASCII: Bool { address.utf8.allSatisfy { $0 < 0x80 } }
}
